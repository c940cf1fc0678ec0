"use strict";
// What there is to draw of one agent's layer, and where on the canvas it is.
//
// A view is { left, top, scale }: the world point at the canvas's top-left
// corner, y measured downwards, and pixels in a world unit.
const NavScene = (() => {
  const COLOURS = {
    background: "#101318", solid: "#2a1a1e", air: "#ffffff", standing: "#3ddc68", inside: "#c23b3b",
    floor: "#2fb457", fly: "rgba(255,255,255,0.10)", path: "#ffd63d", marker: "#d8dde6",
    added: "#35c9ff", removed: "#ff8a3d", changed: "#b58cff", lost: "#ff2f6d", trap: "#ffe14d",
    hover: "#ffffff",
  };
  // A colour of its own for each kind of link, far from each other, from the
  // floor's and from the background; what is climbed has that of its links.
  const KINDS = {
    jump: "#4c9dff", drop: "#ff5a4f", drop_through: "#ffb3d9", ladder: "#bc8040", wall_climb: "#1fd6c1",
    ceiling_climb: "#9970ff", portal: "#ff45e0", pass: "#f2f5c8",
  };
  // The way one may go through a gate, y measured downwards.
  const WAYS = { down: [0, 1], left: [-1, 0], right: [1, 0] };
  // Also what a later version may have.
  const kindColour = (kind) => KINDS[kind] || "#c9ced8";
  const platformColour = (kind) => (kind === "floor" ? COLOURS.floor : kindColour(NavLayer.CLIMBS[kind]));

  /** Everything about a layer that drawing needs again and again. */
  function createScene(layer, markers, changes, before) {
    const { agent, grid } = layer;
    const unit = grid.spacing / 32;
    const outline = (link, by) => {
      let [x, y] = [link.from[0] + by[0], link.from[1] + by[1]];
      const points = [x, y * grid.down];
      for (let i = 0; i < link.curve.length; i += 2) {
        x += link.curve[i] * unit;
        y += link.curve[i + 1] * unit;
        points.push(x, y * grid.down);
      }
      return { link, points, box: boxOf(points) };
    };
    const scene = {
      layer,
      markers,
      changes,
      before,
      links: agent.links.map((link) => outline(link, [0, 0])),
      platforms: agent.platforms.map((surface) => {
        const points = surface.map((v, i) => (i % 2 ? v * grid.down : v));
        return { points, box: boxOf(points) };
      }),
      gates: agent.gates.map(({ pass, from, to }) => {
        const points = [from[0], from[1] * grid.down, to[0], to[1] * grid.down];
        return { pass, points, box: boxOf(points) };
      }),
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

  /** The view in which a box fills the canvas, but for a margin. */
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

  /** The line the feet follow along a path, y downwards. */
  function pathPoints(scene, path) {
    const { down } = scene.layer.grid;
    const line = [];
    for (const step of path.steps) {
      if (step.link !== undefined) {
        const { points } = scene.links[step.link];
        for (let i = 0; i < points.length; i += 2) line.push([points[i], points[i + 1]]);
        continue;
      }
      line.push([step.from[0], step.from[1] * down]);
      if (step.platform !== undefined) {
        // The kinks of the floor between the two ends, in walking order.
        const { points } = scene.platforms[step.platform];
        const [low, high] = [step.from[0], step.to[0]].sort((a, b) => a - b);
        const between = [];
        for (let i = 0; i < points.length; i += 2) {
          if (points[i] > low && points[i] < high) between.push([points[i], points[i + 1]]);
        }
        line.push(...(step.from[0] <= step.to[0] ? between : between.reverse()));
      }
      line.push([step.to[0], step.to[1] * down]);
    }
    return line;
  }

  /** What is at a world position: the vertex, and the link within `reach`. */
  function pick(scene, show, [x, y], reach) {
    const { layer } = scene;
    const { grid } = layer;
    const cell = NavLayer.nearestCell(grid, [x, y]);
    const found = { cell, vertex: cell.row * grid.columns + cell.column };
    const at = [x, y * grid.down];
    let nearest = reach;
    scene.links.forEach(({ link, points, box }, id) => {
      const out = show.links[link.kind] === false || at[0] < box[0] - nearest || at[0] > box[2] + nearest ||
        at[1] < box[1] - nearest || at[1] > box[3] + nearest;
      if (out) return;
      for (let i = 0; i + 3 < points.length; i += 2) {
        const [ax, ay, dx, dy] = [points[i], points[i + 1], points[i + 2] - points[i], points[i + 3] - points[i + 1]];
        const square = dx * dx + dy * dy;
        const t = square > 0 ? Math.min(Math.max(((at[0] - ax) * dx + (at[1] - ay) * dy) / square, 0), 1) : 0;
        const away = Math.hypot(at[0] - ax - dx * t, at[1] - ay - dy * t);
        if (away < nearest) {
          nearest = away;
          found.link = id;
        }
      }
    });
    return found;
  }

  return { createScene, bounds, fit, toWorld, toScreen, pathPoints, pick, kindColour, platformColour, COLOURS, WAYS };
})();
