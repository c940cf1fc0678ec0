"use strict";
// Draws a list of shapes, and finds the line at a position.
//
// The list is that of `render/list.rs`. Positions are in cells from the top-left
// corner of the grid, y downwards. A view is { left, top, scale }: the position
// at the top-left corner of the canvas, and the pixels per cell.
const NavDraw = (() => {
  const BACKGROUND = "#101318";
  /** Points come in this part of a cell. */
  const FINE = 32;

  /** The points x, y, x, y, … from the first one and the steps from point to point. */
  function pointsOf(steps) {
    const points = steps.map((step) => step / FINE);
    for (let i = 2; i < points.length; i += 1) points[i] += points[i - 2];
    return points;
  }

  /** A line with the box around it: left, top, right, bottom. */
  function lineOf(points, id) {
    const box = [Infinity, Infinity, -Infinity, -Infinity];
    points.forEach((v, i) => {
      box[i % 2] = Math.min(box[i % 2], v);
      box[2 + (i % 2)] = Math.max(box[2 + (i % 2)], v);
    });
    return { id, points, box };
  }

  /** A shape as drawing needs it. */
  function load(shape) {
    if (shape.form === "marks") return { ...shape, points: pointsOf(shape.points) };
    if (shape.form !== "lines") return shape;
    return { ...shape, lines: shape.lines.map((steps, i) => lineOf(pointsOf(steps), shape.ids?.[i])) };
  }

  /**
   * Draws the shapes for which `paintOf` returns a paint, as far as they are in
   * view. Returns how many things of each layer were drawn.
   */
  function draw(ctx, size, shapes, view, paintOf) {
    const { scale } = view;
    const drawn = {};
    const at = ([part, least, most]) => Math.min(Math.max(part * scale, least), most);
    const px = (x) => (x - view.left) * scale;
    const py = (y) => (y - view.top) * scale;
    const seen = [view.left, view.top, view.left + size.width / scale, view.top + size.height / scale];
    /** Whether a box is less than `by` cells outside of the view. */
    const inView = ([left, top, right, bottom], by) =>
      left <= seen[2] + by && right >= seen[0] - by && top <= seen[3] + by && bottom >= seen[1] - by;
    const labels = [];

    for (const shape of shapes) {
      const paint = paintOf(shape);
      if (!paint || scale < shape.zoom[0] || scale >= shape.zoom[1]) continue;
      ctx.globalAlpha = at(paint.alpha);
      ctx.fillStyle = paint.colour;
      ctx.strokeStyle = paint.colour;
      const name = shape.form === "labels" ? "labels" : shape.layer;
      drawn[name] = (drawn[name] ?? 0) + forms()[shape.form](shape);
    }
    ctx.globalAlpha = 1;
    return drawn;

    function forms() {
      return { areas, lattice, marks, lines, labels: drawLabels };
    }

    function areas({ rects }) {
      ctx.beginPath();
      for (const [left, top, right, bottom] of rects) {
        if (inView([left, top, right, bottom], 1)) ctx.rect(px(left), py(top), (right - left) * scale, (bottom - top) * scale);
      }
      ctx.fill();
      return 0;
    }

    function lattice({ rects, radius }) {
      const r = at(radius);
      let count = 0;
      ctx.beginPath();
      for (const [left, top, right, bottom] of rects) {
        // The rows and columns in view.
        const first = [left + Math.max(Math.floor(seen[0] - left), 0), top + Math.max(Math.floor(seen[1] - top), 0)];
        const last = [Math.min(right, seen[2] + 1), Math.min(bottom, seen[3] + 1)];
        for (let y = first[1]; y < last[1]; y += 1) {
          for (let x = first[0]; x < last[0]; x += 1) {
            ctx.rect(px(x + 0.5) - r, py(y + 0.5) - r, 2 * r, 2 * r);
            count += 1;
          }
        }
      }
      ctx.fill();
      return count;
    }

    function marks({ mark, points, radius }) {
      const r = at(radius);
      let count = 0;
      ctx.beginPath();
      for (let i = 0; i < points.length; i += 2) {
        if (!inView([points[i], points[i + 1], points[i], points[i + 1]], 1 + r / scale)) continue;
        const [x, y] = [px(points[i]), py(points[i + 1])];
        count += 1;
        if (mark === "disc") {
          ctx.moveTo(x + r, y);
          ctx.arc(x, y, r, 0, 2 * Math.PI);
        } else if (mark === "diamond") {
          polygon([x, y, x + r, y - r, x, y - 2 * r, x - r, y - r]);
        } else {
          trace([x - r, y - r, x + r, y + r]);
          trace([x - r, y + r, x + r, y - r]);
        }
      }
      ctx.lineWidth = r / 3;
      if (mark === "cross") ctx.stroke();
      else ctx.fill();
      return count;
    }

    function lines({ lines: all, width, head, dash }) {
      const half = at(width) / 2;
      const shown = all.filter(({ box }) => inView(box, half / scale));
      if (shown.length === 0) return 0;
      ctx.lineWidth = 2 * half;
      ctx.lineCap = "round";
      ctx.lineJoin = "round";
      ctx.setLineDash(dash ? [at(dash), 1.3 * at(dash)] : []);
      ctx.beginPath();
      // Zoomed out, only some points of curves can be distinguished.
      const skip = scale < 4 ? 4 : 1;
      const onScreen = shown.map(({ points }) => points.map((v, i) => (i % 2 ? py(v) : px(v))));
      for (const points of onScreen) trace(points, skip);
      ctx.stroke();
      ctx.setLineDash([]);
      if (head) {
        ctx.beginPath();
        for (const points of onScreen) traceHead(points, at(head));
        ctx.fill();
      }
      return shown.length;
    }

    function drawLabels({ texts, height }) {
      ctx.font = `${0.75 * height}px system-ui, sans-serif`;
      const { colour } = { colour: ctx.fillStyle };
      let count = 0;
      for (const [[x, y], text] of texts) {
        const [left, bottom] = [px(x), py(y)];
        if (left > size.width || bottom < 0 || bottom > size.height + height || left < -1000) continue;
        const box = [left, bottom - height, left + ctx.measureText(text).width, bottom];
        if (labels.some((other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3])) continue;
        labels.push(box);
        ctx.globalAlpha = 0.6;
        ctx.fillStyle = BACKGROUND;
        ctx.fillRect(box[0], box[1], box[2] - box[0], height);
        ctx.globalAlpha = 1;
        ctx.fillStyle = colour;
        ctx.fillText(text, left, bottom - 0.25 * height);
        count += 1;
      }
      return count;
    }

    /** Adds a line of points on the canvas to its path. A single point becomes a dot. */
    function trace(points, skip = 1) {
      const last = points.length - 2;
      ctx.moveTo(points[0], points[1]);
      for (let i = 2 * skip; i < last; i += 2 * skip) ctx.lineTo(points[i], points[i + 1]);
      ctx.lineTo(points[last], points[last + 1]);
    }

    function polygon(points) {
      trace(points);
      ctx.closePath();
    }

    /** Adds an arrow head, whose direction is that of the line over its length. */
    function traceHead(points, length) {
      const last = points.length - 2;
      const [x, y] = [points[last], points[last + 1]];
      let i = last;
      while (i > 0 && Math.hypot(x - points[i], y - points[i + 1]) < length) i -= 2;
      const whole = Math.hypot(x - points[i], y - points[i + 1]) || 1;
      const [dx, dy] = [((x - points[i]) / whole) * length, ((y - points[i + 1]) / whole) * length];
      polygon([x, y, x - dx - dy * 0.42, y - dy + dx * 0.42, x - dx + dy * 0.42, y - dy - dx * 0.42]);
    }
  }

  /** The line that is nearest to a position, within `radius`; undefined if there is none. */
  function nearestLine(lines, [x, y], radius) {
    let nearest = radius;
    let found;
    for (const line of lines) {
      const { points, box } = line;
      if (x < box[0] - nearest || x > box[2] + nearest || y < box[1] - nearest || y > box[3] + nearest) continue;
      for (let i = 0; i === 0 || i + 3 < points.length; i += 2) {
        const [ax, ay] = [points[i], points[i + 1]];
        // A platform can be a single point.
        const [dx, dy] = [(points[i + 2] ?? ax) - ax, (points[i + 3] ?? ay) - ay];
        const square = dx * dx + dy * dy;
        const t = square > 0 ? Math.min(Math.max(((x - ax) * dx + (y - ay) * dy) / square, 0), 1) : 0;
        const away = Math.hypot(x - ax - dx * t, y - ay - dy * t);
        if (away < nearest) {
          nearest = away;
          found = line;
        }
      }
    }
    return found;
  }

  /** The view in which a box fills a canvas except for a margin. */
  function fit([left, top, right, bottom], { width, height }) {
    const margin = 24;
    const across = Math.max(right - left, 1e-6);
    const down = Math.max(bottom - top, 1e-6);
    const scale = Math.max(Math.min((width - 2 * margin) / across, (height - 2 * margin) / down), 1e-3);
    return { left: (left + right - width / scale) / 2, top: (top + bottom - height / scale) / 2, scale };
  }

  return { BACKGROUND, load, draw, nearestLine, fit };
})();
