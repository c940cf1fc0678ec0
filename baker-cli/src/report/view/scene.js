"use strict";
// What is drawn of one agent's layer, and where it is on the canvas.
//
// A view is { left, top, scale }: the world point at the top-left corner of the
// canvas with y measured downwards, and the pixels per world unit.
const NavScene = (() => {
  const COLOURS = {
    background: "#101318", solid: "#2a1a1e", air: "#ffffff", standing: "#3ddc68", inside: "#c23b3b",
    floor: "#2fb457", fly: "rgba(255,255,255,0.10)", path: "#ffd63d", marker: "#d8dde6", door: "#ffd0a0",
    added: "#35c9ff", removed: "#ff8a3d", changed: "#b58cff", lost: "#ff2f6d", trap: "#ffe14d",
    hover: "#ffffff",
  };
  // One colour per kind of link. A test keeps them apart from each other, from
  // the floor and from the background. Platforms that are climbed take the
  // colour of the motion along them.
  const KINDS = {
    jump: "#4c9dff", drop: "#ff5a4f", drop_through: "#ffb3d9", ladder: "#bc8040", wall_climb: "#1fd6c1",
    ceiling_climb: "#9970ff", portal: "#ff45e0", pass: "#f2f5c8",
  };
  // The direction in which a one-way barrier may be crossed, y measured downwards.
  const DIRECTIONS = { down: [0, 1], left: [-1, 0], right: [1, 0] };
  // A later version of the format may have other kinds: they are grey.
  const kindColour = (kind) => KINDS[kind] || "#c9ced8";
  const motionColour = (motion) => (motion === "floor" ? COLOURS.floor : kindColour(motion));

  /** Coordinates x, y, x, y, … with y measured downwards. */
  const downwards = (points, grid) => points.map((v, i) => (i % 2 ? v * grid.down : v));
  const withBox = (points) => ({ points, box: boxOf(points) });

  /** Computes once what every redraw of a layer needs. */
  function createScene(layer, markers, changes, before, art) {
    const { agent, grid } = layer;
    const unit = grid.spacing / 32;
    const outline = (link, by) => {
      let [x, y] = [link.from[0] + by[0], link.from[1] + by[1]];
      const points = [x, y];
      for (let i = 0; i < link.curve.length; i += 2) {
        x += link.curve[i] * unit;
        y += link.curve[i + 1] * unit;
        points.push(x, y);
      }
      return { link, ...withBox(downwards(points, grid)) };
    };
    const scene = {
      layer,
      markers: rarestFirst(markers),
      changes,
      before,
      art,
      links: agent.links.map((link) => outline(link, [0, 0])),
      platforms: agent.platforms.map((surface) => withBox(downwards(surface, grid))),
      gates: agent.gates.map(({ pass, from, to }) => ({ pass, ...withBox(downwards([...from, ...to], grid)) })),
      bitmap: null,
      removed: [],
      added: new Set(),
      changed: new Set(),
      lost: new Set(),
      trapped: new Set(),
    };
    if (changes) {
      const shift = before.shift;
      scene.removed = changes.links.removed.map((fact) => outline(before.layer.agent.links[fact.id], shift));
      changes.links.added.forEach((fact) => scene.added.add(fact.id));
      changes.links.changed.forEach((change) => scene.changed.add(change.new.id));
      changes.reach.lost.forEach((cut) => cut.platforms.forEach((p) => scene.lost.add(p.id)));
      changes.reach.traps.forEach((trap) => trap.platforms.forEach((p) => scene.trapped.add(p.id)));
    }
    return scene;
  }

  /** Markers of classes with the fewest first, so that a label of many coins does not hide that of the only spawn. */
  function rarestFirst(markers) {
    const count = new Map();
    for (const { class: kind } of markers) count.set(kind, (count.get(kind) ?? 0) + 1);
    return [...markers].sort((a, b) => count.get(a.class) - count.get(b.class));
  }

  function boxOf(points) {
    const box = [Infinity, Infinity, -Infinity, -Infinity];
    for (let i = 0; i < points.length; i += 2) {
      box[0] = Math.min(box[0], points[i]);
      box[1] = Math.min(box[1], points[i + 1]);
      box[2] = Math.max(box[2], points[i]);
      box[3] = Math.max(box[3], points[i + 1]);
    }
    return box;
  }

  /** The grid in world units, y downwards: left, top, right, bottom. */
  function bounds(grid) {
    const [left, top] = [grid.origin[0], grid.origin[1] * grid.down];
    return [left, top, left + grid.columns * grid.spacing, top + grid.rows * grid.spacing];
  }

  /** The view in which a box fills the canvas except for a margin. */
  function fit([left, top, right, bottom], width, height) {
    const margin = 24;
    const across = Math.max(right - left, 1e-6);
    const down = Math.max(bottom - top, 1e-6);
    const scale = Math.max(
      Math.min((width - 2 * margin) / across, (height - 2 * margin) / down), 1e-4,
    );
    return {
      left: (left + right) / 2 - width / 2 / scale,
      top: (top + bottom) / 2 - height / 2 / scale,
      scale,
    };
  }

  const toWorld = (view, grid, px, py) => [view.left + px / view.scale, (view.top + py / view.scale) * grid.down];
  const toScreen = (view, grid, [x, y]) => [(x - view.left) * view.scale, (y * grid.down - view.top) * view.scale];

  /** The index of the included line that is nearest to a point, within `radius`; undefined if there is none. */
  function nearestLine(lines, [x, y], radius, includes = () => true) {
    let nearest = radius;
    let found;
    lines.forEach((line, index) => {
      const { points, box } = line;
      const out = !includes(line) || x < box[0] - nearest || x > box[2] + nearest || y < box[1] - nearest || y > box[3] + nearest;
      if (out) return;
      for (let i = 0; i === 0 || i + 3 < points.length; i += 2) {
        const [ax, ay] = [points[i], points[i + 1]];
        // A platform can be a single point.
        const [dx, dy] = [(points[i + 2] ?? ax) - ax, (points[i + 3] ?? ay) - ay];
        const square = dx * dx + dy * dy;
        const t = square > 0 ? Math.min(Math.max(((x - ax) * dx + (y - ay) * dy) / square, 0), 1) : 0;
        const away = Math.hypot(x - ax - dx * t, y - ay - dy * t);
        if (away < nearest) {
          nearest = away;
          found = index;
        }
      }
    });
    return found;
  }

  /** The smallest marker around a point, or that whose place is within `radius`. */
  function pickMarker(scene, [x, y], radius) {
    const area = ({ size }) => size[0] * size[1];
    const isAt = ({ position, size }) => {
      const [left, top] = [position[0], position[1] * scene.layer.grid.down];
      // The sign of a marker without a size stands on its place.
      const above = size[0] > 0 || size[1] > 0 ? radius : 2 * radius;
      return x >= left - radius && x <= left + size[0] + radius && y >= top - above && y <= top + size[1] + radius;
    };
    return scene.markers.filter(isAt).sort((a, b) => area(a) - area(b))[0];
  }

  /** What is at a world position: the vertex, and the visible link and marker within `radius`. */
  function pick(scene, show, [x, y], radius) {
    const { grid } = scene.layer;
    const marker = show.markers ? pickMarker(scene, [x, y * grid.down], radius) : undefined;
    const link = nearestLine(scene.links, [x, y * grid.down], radius, (line) => show.links[line.link.kind] !== false);
    return { cell: NavLayer.nearestCell(grid, [x, y]), link, marker };
  }

  /** The platform nearest to a world position and within `radius`. */
  const pickPlatform = (scene, [x, y], radius) => nearestLine(scene.platforms, [x, y * scene.layer.grid.down], radius);

  return {
    createScene, downwards, bounds, fit, toWorld, toScreen, pick, pickPlatform, kindColour, motionColour, COLOURS, DIRECTIONS,
  };
})();
