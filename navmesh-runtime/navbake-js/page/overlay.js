// What lives in the level, on a canvas over that of the mesh; and the level beneath it.

const COLOURS = {
  solid: "#5a6475", one_way: "#b8954d", hazard: "#e06a61", ladder: "#8ca56a",
  path: "#ffd63d", enemy: "#ff6e63", ball: "#ffc04d", text: "#e8ebf0", eye: "#101318",
};

/** Levels that are so many times longer than high are not shown as a whole. */
const LONG = 4;

export class Overlay {
  /** Tiles that were set in the page, which are not in the art. */
  added = [];

  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
  }

  /** From level pixels to cells: what is multiplied and what is added, for x and y. */
  toCells({ origin, spacing, down }, pixelsPerUnit) {
    return { part: 1 / Math.abs(pixelsPerUnit) / spacing, x: -origin[0] / spacing, y: (-origin[1] * down) / spacing };
  }

  /** A file of the page with the level: its art, its collision and what was added. */
  withLevel(file, { collision }, pixelsPerUnit) {
    const cells = this.toCells(file.grid, pixelsPerUnit);
    this.cells = cells;
    const onGrid = (points) => Array.from(points, (value, i) => value * cells.part + (i % 2 ? cells.y : cells.x));
    const shapes = [["art", this.added], ["collision", collision]].flatMap(([layer, pieces]) =>
      ["ladder", "one_way", "hazard", "solid"].map((material) => {
        const paint = { colour: COLOURS[material], alpha: [0, 1, 1] };
        const lines = pieces.filter((piece) => piece.material === material).map(({ points }) => NavDraw.line(onGrid(points)));
        return { layer, form: "polygons", lines, paint, plain: paint, zoom: [0, Infinity] };
      }),
    );
    const { image, area } = this.art ?? {};
    const art = image && { image, box: onGrid([area[0], area[1], area[0] + area[2], area[1] + area[3]]) };
    return { ...file, art, collision: shapes.filter(({ lines }) => lines.length > 0) };
  }

  /** Shows another level as a whole; a long one as high as the canvas, and the view follows what moves. */
  open([, , width, height]) {
    this.added = [];
    NavApp.fitAll();
    const { width: wide, height: tall } = NavApp.size();
    this.follows = width / height > (LONG * wide) / tall || height / width > (LONG * tall) / wide;
    if (!this.follows) return;
    const { part } = this.cells;
    NavApp.zoom(Math.max(wide / width, tall / height) / part / NavApp.state.view.scale, [0, 0]);
    this.shown = { ...NavApp.state.view };
  }

  /** The picture of the level. */
  setArt({ width, height, rgba, area }) {
    const image = new OffscreenCanvas(width, height);
    image.getContext("2d").putImageData(new ImageData(rgba, width, height), 0, 0);
    // One colour is a background, or nothing.
    const pixels = new Uint32Array(rgba.buffer);
    this.art = { image: pixels.every((pixel) => pixel === pixels[0]) ? undefined : image, area };
  }

  /** Takes a rectangle out of the picture, and draws it as what it is now. */
  replace({ x, y, width, height, material }) {
    this.added = this.added.filter(({ points }) => points[0] !== x || points[1] !== y);
    if (material) this.added.push({ material, points: [x, y, x + width, y, x + width, y + height, x, y + height] });
    const { image, area } = this.art ?? {};
    if (!image) return;
    const scale = image.width / area[2];
    image.getContext("2d").clearRect((x - area[0]) * scale, (y - area[1]) * scale, width * scale, height * scale);
  }

  /** Moves the view of a long level towards a position, a part of the way, until the view is moved by hand. */
  follow(at, part) {
    const { view } = NavApp.state;
    if (!this.follows || view.left !== this.shown.left || view.scale !== this.shown.scale) {
      this.follows = false;
      return;
    }
    const { width, height } = NavApp.size();
    const { columns, rows } = NavApp.grid();
    const near = (middle, size, end) => Math.max(0, Math.min(middle - size / 2, end - size));
    view.left += (near(at.x * this.cells.part + this.cells.x, width / view.scale, columns) - view.left) * part;
    view.top += (near(at.y * this.cells.part + this.cells.y, height / view.scale, rows) - view.top) * part;
    this.shown = { ...view };
    NavApp.redraw();
  }

  /** Draws what moves: all in level pixels. */
  draw({ bodies, ball, path, ghost, arc }) {
    const { canvas, context, cells } = this;
    const { view } = NavApp.state;
    const dots = devicePixelRatio || 1;
    const [width, height] = Object.values(NavApp.size()).map((length) => Math.round(length * dots));
    if (canvas.width !== width || canvas.height !== height) {
      Object.assign(canvas, { width, height });
      Object.assign(canvas.style, { width: `${width / dots}px`, height: `${height / dots}px` });
    }
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, width, height);
    const scale = view.scale * cells.part * dots;
    context.setTransform(scale, 0, 0, scale, (cells.x - view.left) * view.scale * dots, (cells.y - view.top) * view.scale * dots);
    const dot = (dots / scale) * 1.5;
    if (path) {
      context.lineWidth = dot * 2.5;
      context.strokeStyle = COLOURS.path;
      context.setLineDash(path.isGap ? [dot * 4, dot * 4] : []);
      for (const line of path.lines) trace(context, line);
      context.setLineDash([]);
      for (const [at, colour] of path.marks) disc(context, at, dot * 4, COLOURS[colour]);
    }
    context.strokeStyle = COLOURS.text;
    context.lineWidth = dot * 2;
    if (arc) trace(context, arc);
    if (ghost) context.strokeRect(ghost.x, ghost.y, ghost.width, ghost.height);
    if (ball) disc(context, ball, Math.max(ball.radius, dot * 3), COLOURS.ball);
    for (const { x, y, width, height, facing, colour = "enemy", thought } of bodies) {
      context.fillStyle = COLOURS[colour];
      context.fillRect(x - width / 2, y - height, width, height);
      context.fillStyle = COLOURS.eye;
      context.fillRect(x + (facing * width) / 4 - width / 12, y - height * 0.8, width / 6, height / 6);
      if (!thought) continue;
      context.font = `${dot * 8}px system-ui, sans-serif`;
      context.textAlign = "center";
      context.fillStyle = COLOURS.text;
      context.fillText(thought, x, y - height - dot * 4);
    }
  }
}

function trace(context, points) {
  context.beginPath();
  for (let i = 0; i < points.length; i += 2) context.lineTo(points[i], points[i + 1]);
  context.stroke();
}

function disc(context, { x, y }, radius, colour) {
  context.fillStyle = colour;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}
