"use strict";
// Draws a list of shapes, and finds the line at a position.
//
// The list is that of `render/list.rs`. Positions are in cells from the top-left
// corner of the grid, y downwards. A view is { left, top, scale }: the position
// at the top-left corner of the canvas, and the pixels per cell.
const NavDraw = (() => {
  const BACKGROUND = "#101318";
  /** The steps of lines are in this part of a cell. */
  const FINE = 32;

  /** Replaces the steps of lines by points x, y, x, y, … with the box around them. */
  function load(shape) {
    if (shape.form !== "lines") return shape;
    const lines = shape.lines.map((steps, index) => {
      const points = steps.map((step) => step / FINE);
      for (let i = 2; i < points.length; i += 1) points[i] += points[i - 2];
      return line(points, shape.ids?.[index]);
    });
    return { ...shape, lines };
  }

  /** A line or polygon through points, with the box around it. */
  function line(points, id) {
    const box = [Infinity, Infinity, -Infinity, -Infinity];
    points.forEach((value, i) => {
      box[i % 2] = Math.min(box[i % 2], value);
      box[2 + (i % 2)] = Math.max(box[2 + (i % 2)], value);
    });
    return { id, points, box };
  }

  /**
   * Draws the shapes for which `paintOf` returns a paint, as far as they are in
   * view. Returns how many things of each layer were drawn.
   */
  function draw(ctx, size, shapes, view, paintOf) {
    const { left, top, scale } = view;
    const [right, bottom] = [left + size.width / scale, top + size.height / scale];
    const px = (x) => (x - left) * scale;
    const py = (y) => (y - top) * scale;
    const at = ([part, least, most]) => Math.min(Math.max(part * scale, least), most);
    /** Whether a box is less than `by` cells outside of the view. */
    const inView = (box, by) => box[0] <= right + by && box[2] >= left - by && box[1] <= bottom + by && box[3] >= top - by;
    const labels = [];
    const forms = { areas, lattice, marks, lines, polygons, labels: texts };
    const drawn = {};
    for (const shape of shapes) {
      const paint = paintOf(shape);
      if (!paint || scale < shape.zoom[0] || scale >= shape.zoom[1]) continue;
      ctx.globalAlpha = at(paint.alpha);
      ctx.fillStyle = paint.colour;
      ctx.strokeStyle = paint.colour;
      ctx.beginPath();
      const layer = shape.form === "labels" ? "labels" : shape.layer;
      drawn[layer] = (drawn[layer] ?? 0) + forms[shape.form](shape, paint);
      ctx.fill();
    }
    ctx.globalAlpha = 1;
    return drawn;

    function areas({ rects }) {
      for (const rect of rects.filter((one) => inView(one, 1))) {
        ctx.rect(px(rect[0]), py(rect[1]), (rect[2] - rect[0]) * scale, (rect[3] - rect[1]) * scale);
      }
      return 0;
    }

    function lattice({ rects, radius }) {
      const r = at(radius);
      let count = 0;
      for (const rect of rects) {
        // The rows and columns in view.
        const [x0, y0] = [rect[0] + Math.max(Math.floor(left - rect[0]), 0), rect[1] + Math.max(Math.floor(top - rect[1]), 0)];
        const [x1, y1] = [Math.min(rect[2], right + 1), Math.min(rect[3], bottom + 1)];
        for (let y = y0; y < y1; y += 1) {
          for (let x = x0; x < x1; x += 1) {
            ctx.rect(px(x + 0.5) - r, py(y + 0.5) - r, 2 * r, 2 * r);
            count += 1;
          }
        }
      }
      return count;
    }

    function marks({ mark, points, radius }) {
      const r = at(radius);
      const shown = points.filter(([x, y]) => inView([x, y, x, y], 1 + r / scale));
      for (const point of shown) {
        const [x, y] = [px(point[0]), py(point[1])];
        if (mark === "disc") {
          ctx.moveTo(x + r, y);
          ctx.arc(x, y, r, 0, 2 * Math.PI);
        } else if (mark === "diamond") {
          polygon([x, y, x + r, y - r, x, y - 2 * r, x - r, y - r]);
        } else {
          const d = r / 6;
          polygon([x - r - d, y - r + d, x - r + d, y - r - d, x + r + d, y + r - d, x + r - d, y + r + d]);
          polygon([x + r - d, y - r - d, x + r + d, y - r + d, x - r + d, y + r + d, x - r - d, y + r - d]);
        }
      }
      return shown.length;
    }

    /** The points on the canvas of the lines in view. */
    function inside(all, by) {
      const shown = all.filter(({ box }) => inView(box, by));
      return shown.map(({ points }) => points.map((v, i) => (i % 2 ? py(v) : px(v))));
    }

    function polygons({ lines: all }) {
      return inside(all, 0).map(polygon).length;
    }

    function lines({ lines: all, width, head, dash }) {
      const shown = inside(all, at(width) / scale);
      if (shown.length === 0) return 0;
      Object.assign(ctx, { lineWidth: at(width), lineCap: "round", lineJoin: "round" });
      ctx.setLineDash(dash ? [at(dash), 1.3 * at(dash)] : []);
      for (const points of shown) trace(points);
      ctx.stroke();
      ctx.beginPath();
      if (head) shown.forEach((points) => arrowHead(points, at(head)));
      return shown.length;
    }

    function texts({ texts: all, height }, { colour }) {
      ctx.font = `${0.75 * height}px system-ui, sans-serif`;
      const before = labels.length;
      for (const [[x, y], lift, text] of all) {
        if (!inView([x, y, x, y], 1000 / scale)) continue;
        const bottomOf = py(y) - lift;
        const box = [px(x), bottomOf - height, px(x) + ctx.measureText(text).width, bottomOf];
        const isOutside = box[0] > size.width || box[2] < 0 || box[1] > size.height || box[3] < 0;
        // Beside each other, they are read as two.
        const gap = 0.5 * height;
        const covers = (other) => box[0] < other[2] + gap && other[0] < box[2] + gap && box[1] < other[3] && other[1] < box[3];
        if (isOutside || labels.some(covers)) continue;
        labels.push(box);
        Object.assign(ctx, { globalAlpha: 0.6, fillStyle: BACKGROUND });
        ctx.fillRect(box[0], box[1], box[2] - box[0], height);
        Object.assign(ctx, { globalAlpha: 1, fillStyle: colour });
        ctx.fillText(text, box[0], box[3] - 0.25 * height);
      }
      return labels.length - before;
    }

    /**
     * Adds a line of points on the canvas to its path. A single point becomes a dot. Zoomed
     * out, points of curves lie too close together to be distinguished.
     */
    function trace(points) {
      const last = points.length - 2;
      let [x, y] = points;
      ctx.moveTo(x, y);
      for (let i = 2; i < last; i += 2) {
        if (Math.abs(points[i] - x) + Math.abs(points[i + 1] - y) < 2) continue;
        [x, y] = points.slice(i);
        ctx.lineTo(x, y);
      }
      ctx.lineTo(points[last], points[last + 1]);
    }

    function polygon(points) {
      trace(points);
      ctx.closePath();
    }

    /** Adds an arrow head, whose direction is that of the line over its length. */
    function arrowHead(points, length) {
      let i = points.length - 2;
      const [x, y] = points.slice(i);
      const away = () => Math.hypot(x - points[i], y - points[i + 1]);
      while (i > 0 && away() < length) i -= 2;
      const part = length / (away() || 1);
      const [dx, dy] = [(x - points[i]) * part, (y - points[i + 1]) * part];
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
        // A platform can be a single point.
        const [ax, ay, bx = ax, by = ay] = points.slice(i, i + 4);
        const [dx, dy] = [bx - ax, by - ay];
        const square = dx * dx + dy * dy;
        const t = square > 0 ? Math.min(Math.max(((x - ax) * dx + (y - ay) * dy) / square, 0), 1) : 0;
        const away = Math.hypot(x - ax - dx * t, y - ay - dy * t);
        if (away < nearest) [nearest, found] = [away, line];
      }
    }
    return found;
  }

  /** The view in which a box fills a canvas except for a margin. */
  function fit([left, top, right, bottom], { width, height }) {
    const [across, down] = [Math.max(right - left, 1e-6), Math.max(bottom - top, 1e-6)];
    const scale = Math.max(Math.min((width - 48) / across, (height - 48) / down), 1e-3);
    return { left: (left + right - width / scale) / 2, top: (top + bottom - height / scale) / 2, scale };
  }

  return { BACKGROUND, load, line, draw, nearestLine, fit };
})();
