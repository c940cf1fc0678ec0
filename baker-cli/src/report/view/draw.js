"use strict";
// Draws the part of a scene that is in view.
const NavDraw = (() => {
  const { COLOURS, DIRECTIONS, kindColour, motionColour, bounds, downwards } = NavScene;

  /**
   * Draws what is in view. `show` says which layers; `extra` has the selected
   * platform, the paths, the cursor and what the mouse is over. Returns how
   * many vertices, platforms, links, gates, labels and paths were drawn.
   */
  function draw(ctx, size, scene, view, show, extra, newBitmap) {
    const { layer } = scene;
    const { grid } = layer;
    const drawn = { vertices: 0, platforms: 0, links: 0, gates: 0, labels: 0, paths: 0 };
    const seen = [view.left, view.top, view.left + size.width / view.scale, view.top + size.height / view.scale];
    const inView = (box, by = 0) =>
      box[0] <= seen[2] + by && box[2] >= seen[0] - by && box[1] <= seen[3] + by && box[3] >= seen[1] - by;
    const px = (x) => (x - view.left) * view.scale;
    const py = (y) => (y - view.top) * view.scale;
    ctx.fillStyle = COLOURS.background;
    ctx.fillRect(0, 0, size.width, size.height);
    const cell = grid.spacing * view.scale;

    const [left, top, right, bottom] = bounds(grid);
    ctx.imageSmoothingEnabled = false;
    const art = show.art && scene.art;
    if (art) {
      ctx.globalAlpha = 0.6;
      ctx.drawImage(art, px(left), py(top), (right - left) * view.scale, (bottom - top) * view.scale);
      ctx.globalAlpha = 1;
    }
    if (show.terrain) {
      scene.bitmap = scene.bitmap || terrainBitmap(scene, newBitmap);
      // A vertex is at the bottom of its cell; the square drawn for it has the
      // vertex in its middle.
      const half = grid.spacing / 2;
      ctx.globalAlpha = art ? 0.4 : 1;
      ctx.drawImage(
        scene.bitmap, px(left), py(top + half), (right - left) * view.scale, (bottom - top) * view.scale,
      );
      ctx.globalAlpha = 1;
    }
    if (scene.changes && show.changes) drawBands();
    if (show.fly && layer.flies && cell >= 6) drawFlyEdges();
    if (show.vertices && cell >= 5) drawVertices();
    drawLinks();
    if (show.terrain) drawGates();
    if (show.floor) drawPlatforms();
    if (show.markers) drawMarkers();
    drawSelection();
    if (show.paths) extra.paths.forEach(drawPath);
    drawCursor();
    return drawn;

    /** Calls `each` with the column and row of every cell in view. */
    function eachCellInView(each) {
      const clamp = (v, end) => Math.min(Math.max(v, 0), end);
      const from = clamp(Math.floor((seen[0] - left) / grid.spacing) - 1, grid.columns);
      const to = clamp(Math.ceil((seen[2] - left) / grid.spacing) + 1, grid.columns);
      const end = clamp(Math.ceil((seen[3] - top) / grid.spacing) + 1, grid.rows);
      for (let r = clamp(Math.floor((seen[1] - top) / grid.spacing) - 2, grid.rows); r < end; r += 1) {
        for (let c = from; c < to; c += 1) each(c, r);
      }
    }

    /** Adds a line to the canvas's path. A single point becomes a line of twice `half` pixels. */
    function trace(points, half) {
      const isPoint = points.length === 2;
      ctx.moveTo(px(points[0]) - (isPoint ? half : 0), py(points[1]));
      for (let i = 2; i < points.length; i += 2) ctx.lineTo(px(points[i]), py(points[i + 1]));
      if (isPoint) ctx.lineTo(px(points[0]) + half, py(points[1]));
    }

    /** Adds an arrow head to the canvas's path: its tip, and the way there from its base. */
    function traceHead(x, y, dx, dy) {
      ctx.moveTo(x, y);
      ctx.lineTo(x - dx - dy * 0.42, y - dy + dx * 0.42);
      ctx.lineTo(x - dx + dy * 0.42, y - dy - dx * 0.42);
    }

    function drawBands() {
      const band = (id, colour) => {
        const { box } = scene.platforms[id];
        if (!inView(box, grid.spacing)) return;
        ctx.fillStyle = colour;
        ctx.globalAlpha = 0.4;
        const high = Math.max(grid.spacing * view.scale, 6);
        ctx.fillRect(px(box[0]) - 2, py(box[1]) - high, (box[2] - box[0]) * view.scale + 4,
          (box[3] - box[1]) * view.scale + high);
        ctx.globalAlpha = 1;
      };
      scene.lost.forEach((id) => band(id, COLOURS.lost));
      scene.trapped.forEach((id) => band(id, COLOURS.trap));
    }

    function drawFlyEdges() {
      ctx.strokeStyle = COLOURS.fly;
      ctx.lineWidth = 1;
      ctx.beginPath();
      const line = (c, r, c2, r2) => {
        const [a, b] = [NavLayer.vertexPosition(grid, c, r), NavLayer.vertexPosition(grid, c2, r2)];
        ctx.moveTo(px(a[0]), py(a[1] * grid.down));
        ctx.lineTo(px(b[0]), py(b[1] * grid.down));
      };
      eachCellInView((c, r) => {
        if (!NavLayer.isFree(layer, c, r)) return;
        const [right, below] = [NavLayer.isFree(layer, c + 1, r), NavLayer.isFree(layer, c, r + 1)];
        if (right) line(c, r, c + 1, r);
        if (below) line(c, r, c, r + 1);
        if (right && below && NavLayer.isFree(layer, c + 1, r + 1)) {
          line(c, r, c + 1, r + 1);
          line(c + 1, r, c, r + 1);
        }
      });
      ctx.stroke();
    }

    function drawVertices() {
      const radius = Math.min(Math.max(cell * 0.07, 0.8), 2.5);
      const dots = { air: [], inside: [], standing: [] };
      eachCellInView((c, r) => {
        const floor = NavLayer.floorsAt(layer, c, r)[0];
        const kind = floor ? "standing" : layer.blocked[r * grid.columns + c] ? "inside" : "air";
        const y = floor ? floor.height : NavLayer.rowY(grid, r);
        dots[kind].push(px(NavLayer.columnX(grid, c)), py(y * grid.down));
        drawn.vertices += 1;
      });
      for (const [kind, points] of Object.entries(dots)) {
        const r = kind === "standing" ? radius * 1.6 : radius;
        ctx.fillStyle = COLOURS[kind];
        ctx.globalAlpha = kind === "air" ? 0.4 : 0.9;
        for (let i = 0; i < points.length; i += 2) ctx.fillRect(points[i] - r, points[i + 1] - r, 2 * r, 2 * r);
      }
      ctx.globalAlpha = 1;
    }

    /** Strokes all lines of one colour at once; zoomed out, it skips points. */
    function strokeAll(outlines, colour, width, alpha, dash) {
      if (outlines.length === 0) return;
      ctx.strokeStyle = colour;
      ctx.lineWidth = width;
      ctx.globalAlpha = alpha;
      ctx.setLineDash(dash || []);
      ctx.beginPath();
      const skip = cell < 3 ? 3 : 1;
      for (const { points } of outlines) {
        ctx.moveTo(px(points[0]), py(points[1]));
        const last = points.length - 2;
        for (let i = 2 * skip; i < last; i += 2 * skip) ctx.lineTo(px(points[i]), py(points[i + 1]));
        ctx.lineTo(px(points[last]), py(points[last + 1]));
      }
      ctx.stroke();
      ctx.setLineDash([]);
      if (cell >= 5) {
        ctx.fillStyle = colour;
        for (const { points } of outlines) arrowHead(points);
      }
      ctx.globalAlpha = 1;
    }

    function arrowHead(points) {
      const last = points.length - 2;
      const [x, y] = [px(points[last]), py(points[last + 1])];
      const [bx, by] = [px(points[Math.max(last - 2, 0)]), py(points[Math.max(last - 1, 1)])];
      const length = Math.hypot(x - bx, y - by) || 1;
      const size = Math.min(Math.max(cell * 0.4, 3), 9);
      ctx.beginPath();
      traceHead(x, y, ((x - bx) / length) * size, ((y - by) / length) * size);
      ctx.fill();
    }

    function drawLinks() {
      const groups = new Map();
      const colours = scene.changes && show.changes;
      scene.links.forEach((outline, id) => {
        const { kind } = outline.link;
        if (show.links[kind] === false || !inView(outline.box)) return;
        const group = colours && scene.added.has(id) ? "+" : colours && scene.changed.has(id) ? "~" : kind;
        if (!groups.has(group)) groups.set(group, []);
        groups.get(group).push(outline);
        drawn.links += 1;
      });
      const width = Math.min(Math.max(cell * 0.08, 0.7), 2);
      const strong = ["+", "~"];
      // New and changed links go on top.
      const names = [...groups.keys()].sort((a, b) => strong.indexOf(a) - strong.indexOf(b));
      for (const name of names) {
        const colour = name === "+" ? COLOURS.added : name === "~" ? COLOURS.changed : kindColour(name);
        const faint = colours && !strong.includes(name);
        strokeAll(groups.get(name), colour, width, faint ? 0.18 : cell < 6 ? 0.45 : 0.8);
      }
      if (colours) {
        const gone = scene.removed.filter(
          ({ link, box }) => show.links[link.kind] !== false && inView(box),
        );
        strokeAll(gone, COLOURS.removed, width, 0.9, [6, 5]);
        drawn.links += gone.length;
      }
      const over = extra.hover && extra.hover.link !== undefined && scene.links[extra.hover.link];
      if (over) strokeAll([over], COLOURS.hover, width + 2, 1);
    }

    /** One-way walls and ceilings: lines with arrow heads in the direction of passage. */
    function drawGates() {
      ctx.strokeStyle = kindColour("pass");
      ctx.fillStyle = ctx.strokeStyle;
      ctx.lineWidth = Math.min(Math.max(cell * 0.1, 1), 2.5);
      const head = Math.min(Math.max(cell * 0.4, 3), 9);
      for (const { pass, points, box } of scene.gates) {
        if (!inView(box, grid.spacing)) continue;
        drawn.gates += 1;
        const [ax, ay, bx, by] = [px(points[0]), py(points[1]), px(points[2]), py(points[3])];
        ctx.beginPath();
        trace(points, 0);
        ctx.stroke();
        const [dx, dy] = DIRECTIONS[pass].map((part) => part * head);
        const count = Math.max(Math.floor(Math.hypot(bx - ax, by - ay) / (3 * head)), 1);
        ctx.beginPath();
        for (let i = 0; i < count; i += 1) {
          const t = (i + 0.5) / count;
          traceHead(ax + (bx - ax) * t + dx, ay + (by - ay) * t + dy, dx, dy);
        }
        ctx.fill();
      }
    }

    function drawPlatforms() {
      const groups = new Map();
      scene.platforms.forEach((platform, id) => {
        if (!inView(platform.box, 2 / view.scale)) return;
        const colour = motionColour(layer.agent.motions[id]);
        if (!groups.has(colour)) groups.set(colour, []);
        groups.get(colour).push(platform.points);
        drawn.platforms += 1;
      });
      ctx.lineWidth = Math.min(Math.max(cell * 0.12, 1.5), 4);
      for (const [colour, surfaces] of groups) {
        ctx.strokeStyle = colour;
        ctx.beginPath();
        for (const points of surfaces) trace(points, 2);
        ctx.stroke();
      }
    }

    function drawMarkers() {
      const isFree = labelPlaces();
      ctx.lineWidth = 1;
      ctx.font = "12px sans-serif";
      for (const { class: kind, name, position, size: extent } of scene.markers) {
        const [x, y] = [px(position[0]), py(position[1] * grid.down)];
        const [w, h] = [extent[0] * view.scale, extent[1] * view.scale];
        if (x > size.width || y > size.height || x + w < -200 || y + h < -20) continue;
        ctx.strokeStyle = kind.toLowerCase() === "door" ? COLOURS.door : COLOURS.marker;
        ctx.fillStyle = ctx.strokeStyle;
        if (w > 0 || h > 0) {
          ctx.strokeRect(x, y, w, h);
        } else {
          ctx.beginPath();
          ctx.moveTo(x, y);
          ctx.lineTo(x + 5, y - 7);
          ctx.lineTo(x, y - 14);
          ctx.lineTo(x - 5, y - 7);
          ctx.fill();
        }
        const text = [kind, name].filter(Boolean).join(" ");
        if (cell >= 5 && isFree(x + 7, y - 6, ctx.measureText(text).width)) {
          ctx.fillText(text, x + 7, y - 6);
          drawn.labels += 1;
        }
      }
    }

    /** Says of each label of some width whether it covers none of those before it, and keeps it. */
    function labelPlaces() {
      const height = 14;
      const rows = new Map();
      return (x, y, width) => {
        const row = Math.floor(y / height);
        const near = [row - 1, row, row + 1].flatMap((r) => rows.get(r) ?? []);
        if (near.some((other) => Math.abs(other.y - y) < height && other.x < x + width && x < other.x + other.width)) return false;
        rows.set(row, [...(rows.get(row) ?? []), { x, y, width }]);
        return true;
      };
    }

    /** The selected platform, and the links that leave and enter it. */
    function drawSelection() {
      if (extra.selected === null) return;
      ctx.strokeStyle = COLOURS.hover;
      ctx.lineWidth = 4;
      ctx.beginPath();
      trace(scene.platforms[extra.selected].points, 4);
      ctx.stroke();
      const outlines = (indices) => indices.map((index) => scene.links[index])
        .filter(({ link }) => show.links[link.kind] !== false);
      const width = Math.min(Math.max(cell * 0.12, 1.5), 3);
      strokeAll(outlines(layer.entering[extra.selected]), COLOURS.hover, width, 0.5, [3, 4]);
      strokeAll(outlines(layer.leaving[extra.selected]), COLOURS.path, width, 1);
    }

    function drawPath({ line }) {
      drawn.paths += 1;
      const points = downwards(line, grid);
      for (const [colour, width] of [[COLOURS.background, 7], [COLOURS.path, 3.5]]) {
        ctx.strokeStyle = colour;
        ctx.lineWidth = width;
        ctx.beginPath();
        trace(points, 0);
        ctx.stroke();
      }
      for (const i of [0, points.length - 2]) {
        ctx.beginPath();
        ctx.arc(px(points[i]), py(points[i + 1]), 6, 0, 2 * Math.PI);
        ctx.fillStyle = i === 0 ? COLOURS.path : COLOURS.background;
        ctx.fill();
        ctx.strokeStyle = COLOURS.path;
        ctx.lineWidth = 2.5;
        ctx.stroke();
      }
    }

    function drawCursor() {
      if (!extra.cursor) return;
      const [x, y] = [px(extra.cursor[0]), py(extra.cursor[1] * grid.down)];
      ctx.strokeStyle = COLOURS.hover;
      ctx.lineWidth = 1;
      ctx.beginPath();
      ctx.moveTo(x - 12, y);
      ctx.lineTo(x + 12, y);
      ctx.moveTo(x, y - 12);
      ctx.lineTo(x, y + 12);
      ctx.stroke();
    }
  }

  /** The blocked cells, one pixel each; drawn once per scene. */
  function terrainBitmap(scene, newBitmap) {
    const { layer, changes, before } = scene;
    const { grid } = layer;
    const bitmap = newBitmap(Math.max(grid.columns, 1), Math.max(grid.rows, 1));
    const ctx = bitmap.getContext("2d");
    const image = ctx.createImageData(Math.max(grid.columns, 1), Math.max(grid.rows, 1));
    const rgba = (hex, alpha) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16)).concat(alpha);
    const solid = rgba(changes ? "#2c323c" : COLOURS.solid, 255);
    const [added, removed] = [rgba(COLOURS.added, 80), rgba(COLOURS.removed, 80)];
    for (let row = 0; row < grid.rows; row += 1) {
      for (let column = 0; column < grid.columns; column += 1) {
        const index = row * grid.columns + column;
        const is = layer.blocked[index] === 1;
        const was = changes ? blockedBefore(before, grid, column, row, is) : is;
        const colour = is && was ? solid : is ? added : was ? removed : null;
        if (colour) image.data.set(colour, 4 * index);
      }
    }
    ctx.putImageData(image, 0, 0);
    return bitmap;
  }

  /** Whether the old file is blocked at a vertex of the new one; `otherwise` outside its grid. */
  function blockedBefore(before, grid, column, row, otherwise) {
    const [x, y] = NavLayer.vertexPosition(grid, column, row);
    const old = before.layer.grid;
    // The middle of the cell: at its border, rounding would decide.
    const middle = [x - before.shift[0], y - before.shift[1] - (grid.spacing / 2) * grid.down];
    const cell = NavLayer.cellAt(old, middle);
    return cell ? before.layer.blocked[cell.row * old.columns + cell.column] === 1 : otherwise;
  }

  return { draw };
})();
