// Draws the level, what was baked, and what moves in it.

/** Colours of the page for what is drawn. */
function colours() {
  const style = getComputedStyle(document.documentElement);
  const names = ["sky", "solid", "one_way", "hazard", "ladder", "floor", "jump", "drop", "other", "path", "enemy", "ball", "text", "panel"];
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
}

/** Levels that are so many times longer than high are not shown as a whole. */
const LONG = 4;

export class View {
  /** Level pixels at the top-left corner, and screen pixels in a level pixel. */
  left = 0;
  top = 0;
  scale = 1;
  zoom = 1;
  bounds = [0, 0, 1, 1];
  shows = { art: true, collision: false, links: true };

  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.colours = colours();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.colours = colours();
      this.isStale = true;
    });
    new ResizeObserver(() => this.fit()).observe(canvas.parentElement);
    addEventListener("resize", () => this.fit());
  }

  /** Shows another level. */
  open(bounds) {
    this.bounds = bounds;
    this.zoom = 1;
    this.art = undefined;
    this.added = [];
    this.fit();
    // A long level is as high as the canvas, and the view follows what moves.
    const [, , width, height] = bounds;
    this.follows = width > LONG * height || height > LONG * width;
    if (this.follows) {
      this.zoom = Math.max(this.canvas.width / width, this.canvas.height / height) / this.scale;
      this.fit();
    }
  }

  /** The picture of the level. */
  setArt(picture) {
    const { width, height, rgba, area } = picture;
    const canvas = new OffscreenCanvas(width, height);
    canvas.getContext("2d").putImageData(new ImageData(rgba, width, height), 0, 0);
    // One colour is a background, or nothing.
    const pixels = new Uint32Array(rgba.buffer);
    this.art = { canvas, area, isEmpty: pixels.every((pixel) => pixel === pixels[0]) };
    this.isStale = true;
  }

  /** Takes a rectangle out of the picture, and draws it as what it is now. */
  replace({ x, y, width, height, material }) {
    this.added = this.added.filter(({ points }) => points[0] !== x || points[1] !== y);
    if (material) this.added.push({ material, points: [x, y, x + width, y, x + width, y + height, x, y + height] });
    if (!this.art) return;
    const { canvas, area } = this.art;
    const scale = canvas.width / area[2];
    canvas.getContext("2d").clearRect((x - area[0]) * scale, (y - area[1]) * scale, width * scale, height * scale);
    this.isStale = true;
  }

  /** Makes the canvas as large as its place, and the level as large as the canvas. */
  fit() {
    const [x, y, width, height] = this.bounds;
    const { canvas } = this;
    const dots = devicePixelRatio || 1;
    const wide = canvas.parentElement.clientWidth - parseFloat(getComputedStyle(canvas.parentElement).paddingLeft) - parseFloat(getComputedStyle(canvas.parentElement).paddingRight);
    const most = innerWidth > 760 ? innerHeight - 110 : innerHeight * 0.6;
    const tall = Math.max(wide / LONG, Math.min(most, (wide * height) / width));
    canvas.style.height = `${tall}px`;
    [canvas.width, canvas.height] = [Math.round(wide * dots), Math.round(tall * dots)];
    this.scale = Math.min(canvas.width / width, canvas.height / height) * this.zoom;
    if (this.zoom === 1) {
      this.left = x + (width - canvas.width / this.scale) / 2;
      this.top = y + (height - canvas.height / this.scale) / 2;
    }
    this.isStale = true;
  }

  /** Zooms so that what is at a level position stays there. */
  zoomAt(at, factor) {
    this.follows = false;
    const zoom = Math.min(Math.max(this.zoom * factor, 1), 40);
    const by = zoom / this.zoom;
    this.left = at.x - (at.x - this.left) / by;
    this.top = at.y - (at.y - this.top) / by;
    this.zoom = zoom;
    this.fit();
  }

  pan(x, y) {
    this.follows = false;
    this.left -= (x * devicePixelRatio) / this.scale;
    this.top -= (y * devicePixelRatio) / this.scale;
    this.isStale = true;
  }

  /** Moves the view towards a position, a part of the way. */
  follow(at, part) {
    const [x, y, width, height] = this.bounds;
    const [wide, tall] = [this.canvas.width / this.scale, this.canvas.height / this.scale];
    const left = Math.min(Math.max(at.x - wide / 2, x), x + width - wide);
    const top = Math.min(Math.max(at.y - tall / 2, y), y + height - tall);
    this.left += (left - this.left) * part;
    this.top += (top - this.top) * part;
    this.isStale = true;
  }

  /** The level position, in pixels, of a place on the screen. */
  at({ clientX, clientY }) {
    const box = this.canvas.getBoundingClientRect();
    const dots = this.canvas.width / box.width;
    return { x: this.left + ((clientX - box.left) * dots) / this.scale, y: this.top + ((clientY - box.top) * dots) / this.scale };
  }

  /** Sets the mesh that is drawn: lines in level pixels. */
  setMesh(collision, platforms, links) {
    Object.assign(this, { collision, platforms, links });
    this.isStale = true;
  }

  /** Finds the link or platform that is near a place on the screen. */
  hover(event) {
    const at = this.at(event);
    const reach = (8 * this.canvas.width) / this.canvas.clientWidth / this.scale;
    const lines = [...(this.platforms ?? []), ...(this.shows.links ? (this.links ?? []) : [])];
    const found = lines.map((line) => ({ line, ...nearest(at, line.points) })).filter(({ away }) => away < reach ** 2);
    this.hovered = found.reduce((best, one) => (best && best.away <= one.away ? best : one), undefined)?.line;
    return this.hovered;
  }

  /** Draws everything. What stands still is drawn once, into a picture of its own. */
  draw({ bodies, ball, path, ghost, arc }) {
    const { context, canvas, colours: paint } = this;
    if (this.isStale) this.drawLevel();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.still, 0, 0);
    context.setTransform(this.scale, 0, 0, this.scale, -this.left * this.scale, -this.top * this.scale);
    const dot = (canvas.width / canvas.clientWidth / this.scale) * 1.5;
    if (path) {
      context.lineWidth = dot * 2.5;
      context.strokeStyle = paint.path;
      context.setLineDash(path.isGap ? [dot * 4, dot * 4] : []);
      for (const line of path.lines) trace(context, line);
      context.setLineDash([]);
      for (const [at, colour] of path.marks) disc(context, at, dot * 4, paint[colour]);
    }
    context.lineWidth = dot * 3;
    context.strokeStyle = paint.text;
    if (this.hovered) trace(context, this.hovered.points);
    if (arc) trace(context, arc);
    if (ghost) {
      context.strokeStyle = paint.text;
      context.lineWidth = dot;
      context.strokeRect(ghost.x, ghost.y, ghost.width, ghost.height);
    }
    if (ball) disc(context, ball, Math.max(ball.radius, dot * 3), paint.ball);
    for (const { x, y, width, height, facing, colour = "enemy", thought } of bodies) {
      context.fillStyle = paint[colour];
      context.fillRect(x - width / 2, y - height, width, height);
      context.fillStyle = paint.panel;
      context.fillRect(x + (facing * width) / 4 - width / 12, y - height * 0.8, width / 6, height / 6);
      if (!thought) continue;
      context.font = `${dot * 8}px system-ui, sans-serif`;
      context.textAlign = "center";
      context.fillStyle = paint.text;
      context.fillText(thought, x, y - height - dot * 4);
    }
  }

  drawLevel() {
    this.isStale = false;
    const { canvas, colours: paint, shows } = this;
    if (this.still?.width !== canvas.width || this.still?.height !== canvas.height) this.still = new OffscreenCanvas(canvas.width, canvas.height);
    const context = this.still.getContext("2d");
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = paint.sky;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.setTransform(this.scale, 0, 0, this.scale, -this.left * this.scale, -this.top * this.scale);
    const dot = canvas.width / (canvas.clientWidth || 1) / this.scale;
    const hasArt = shows.art && this.art && !this.art.isEmpty;
    if (hasArt) {
      context.imageSmoothingEnabled = false;
      context.drawImage(this.art.canvas, ...this.art.area);
    }
    // Tiles that were set in the page are not in the art.
    const isShown = shows.collision || !hasArt;
    context.globalAlpha = hasArt && isShown ? 0.6 : 1;
    for (const { material, points } of (isShown ? this.collision : this.added) ?? []) {
      context.fillStyle = paint[material];
      context.beginPath();
      for (let i = 0; i < points.length; i += 2) context.lineTo(points[i], points[i + 1]);
      context.fill();
    }
    context.globalAlpha = 0.75;
    context.lineWidth = dot;
    for (const { kind, points } of shows.links ? (this.links ?? []) : []) {
      context.strokeStyle = paint[kind] ?? paint.other;
      trace(context, points);
    }
    context.globalAlpha = 1;
    context.lineWidth = dot * 2;
    for (const { kind, points } of this.platforms ?? []) {
      context.strokeStyle = paint[kind] ?? paint.other;
      trace(context, points);
    }
  }
}

/** The nearest point of a line, and the square of how far away it is. */
export function nearest(at, points) {
  let best = { away: Infinity };
  for (let i = 0; i < points.length; i += 2) {
    const [ax, ay] = [points[i], points[i + 1]];
    const [bx, by] = i + 2 < points.length ? [points[i + 2], points[i + 3]] : [ax, ay];
    const length = (bx - ax) ** 2 + (by - ay) ** 2;
    const part = length > 0 ? Math.min(1, Math.max(0, ((at.x - ax) * (bx - ax) + (at.y - ay) * (by - ay)) / length)) : 0;
    const [x, y] = [ax + part * (bx - ax), ay + part * (by - ay)];
    const away = (x - at.x) ** 2 + (y - at.y) ** 2;
    if (away < best.away) best = { x, y, away };
  }
  return best;
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
