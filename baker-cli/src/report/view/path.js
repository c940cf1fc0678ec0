"use strict";
// Finding paths in the page: the model of the crate navmesh-runtime, so that a
// path costs what `navbake path` says it does.
//
// - Walking takes the horizontal distance over the run speed; climbing the
//   distance along what is climbed over the climb speed.
// - A link takes its duration. On foot, nodes are links: reached where they
//   take off, left where they land.
// - Flying goes from free vertex to free neighbour, diagonally only where the
//   whole square is free, and takes the distance over the run speed.
// - Who walks and flies changes over at vertices on the floor.
const NavPath = (() => {
  const {
    CLIMBS, along, speedOn, columnX, columnsOf, heightAt, cellAt, vertexPosition, isFree, contact, locate,
  } = NavLayer;

  // ---- The open list: a binary heap --------------------------------------

  function createHeap() {
    const keys = [];
    const nodes = [];
    const swap = (i, j) => {
      [keys[i], keys[j]] = [keys[j], keys[i]];
      [nodes[i], nodes[j]] = [nodes[j], nodes[i]];
    };
    return {
      push(key, node) {
        let i = keys.push(key) - 1;
        nodes.push(node);
        while (i > 0 && keys[(i - 1) >> 1] > keys[i]) {
          swap(i, (i - 1) >> 1);
          i = (i - 1) >> 1;
        }
      },
      pop() {
        if (keys.length === 0) return null;
        swap(0, keys.length - 1);
        const least = { key: keys.pop(), node: nodes.pop() };
        for (let i = 0; ;) {
          const [l, r] = [2 * i + 1, 2 * i + 2];
          let least = i;
          if (l < keys.length && keys[l] < keys[least]) least = l;
          if (r < keys.length && keys[r] < keys[least]) least = r;
          if (least === i) break;
          swap(i, least);
          i = least;
        }
        return least;
      },
    };
  }

  // ---- The search --------------------------------------------------------

  /**
   * The fastest path between two positions:
   * { outcome: "found" | "no_path", reason, cost, expanded, steps, start, goal }.
   */
  function findPath(layer, from, to) {
    const nothing = (reason) => ({ outcome: "no_path", reason, cost: 0, expanded: 0, steps: [] });
    const start = locate(layer, from);
    if (!start) return nothing("the start is nowhere near a place where the agent can be");
    const goal = locate(layer, to);
    if (!goal) return nothing("the goal is nowhere near a place where the agent can be");
    const { agent, grid } = layer;
    const vertices = grid.columns * grid.rows;
    // Numbers of nodes: free vertices, places on the floor, links, the goal.
    const [FLOOR, LINK] = [vertices, vertices + layer.spots.length];
    const GOAL = LINK + agent.links.length;
    const costs = new Map();
    const parents = new Map();
    const done = new Set();
    const open = createHeap();
    let expanded = 0;

    const improve = (node, cost, parent) => {
      const known = costs.get(node);
      if (known !== undefined && known <= cost) return false;
      costs.set(node, cost);
      parents.set(node, parent);
      done.delete(node);
      return true;
    };
    const usable = (link) => agent.edges.includes(link.edge);

    // No more than what is left of the way can take.
    const ahead = (vertex, x) => {
      if (vertex !== null && !layer.walks && goal.vertex !== undefined) {
        const [c, r] = [vertex % grid.columns, Math.floor(vertex / grid.columns)];
        const [gc, gr] = [goal.vertex % grid.columns, Math.floor(goal.vertex / grid.columns)];
        const [dx, dy] = [Math.abs(c - gc), Math.abs(r - gr)];
        const cells = Math.abs(dx - dy) + Math.SQRT2 * Math.min(dx, dy);
        return (cells * grid.spacing) / layer.speed;
      }
      return Math.abs(x - goal.position[0]) / layer.topSpeed;
    };

    const float = (vertex, cost, parent) => {
      if (improve(vertex, cost, parent)) {
        open.push(cost + ahead(vertex, columnX(grid, vertex % grid.columns)), vertex);
      }
    };

    /** Relaxes what can be walked to from a point of a platform. */
    const arrive = (platform, position, cost, parent) => {
      const x = along(layer, platform, position);
      const moves = agent.edges.includes(CLIMBS[agent.kinds[platform]]);
      const walk = (a, b) => Math.abs(b - a) / speedOn(layer, platform);
      const reachable = (there) => moves || there === x;
      if (goal.platform === platform && reachable(along(layer, platform, goal.position))) {
        const total = cost + walk(x, along(layer, platform, goal.position));
        if (improve(GOAL, total, parent)) open.push(total, GOAL);
      }
      // Outwards, until something was reached as cheaply before: what lies
      // beyond it was, too.
      const relaxLink = (index) => {
        const link = agent.links[index];
        const from = along(layer, platform, link.from);
        if (!reachable(from)) return false;
        const there = cost + walk(x, from);
        if (!improve(LINK + index, there, parent)) return false;
        if (usable(link)) open.push(there + link.duration + ahead(null, link.to[0]), LINK + index);
        return true;
      };
      const takeoffs = layer.takeoffs[platform];
      let middle = takeoffs.findIndex((index) => along(layer, platform, agent.links[index].from) >= x);
      if (middle < 0) middle = takeoffs.length;
      for (let i = middle; i < takeoffs.length && relaxLink(takeoffs[i]); i += 1);
      for (let i = middle - 1; i >= 0 && relaxLink(takeoffs[i]); i -= 1);
      if (!layer.flies) return;
      const surface = agent.platforms[platform];
      const relaxColumn = (column) => {
        const there = columnX(grid, column);
        if (!reachable(there)) return false;
        const cell = cellAt(grid, [there, heightAt(surface, there)]);
        if (!cell) return true;
        const vertex = cell.row * grid.columns + column;
        const spot = layer.standing.get(vertex).find((s) => s.platform === platform);
        const node = FLOOR + spot.number;
        if (parent === node) return true;
        const total = cost + walk(x, there);
        if (!improve(node, total, parent)) return false;
        const touch = contact(layer, spot);
        if (touch) float(touch.vertex, total + touch.gap / layer.speed, node);
        return true;
      };
      const [first, end] = columnsOf(grid, surface);
      let from = first;
      while (from < end && columnX(grid, from) < x) from += 1;
      for (let column = from; column < end && relaxColumn(column); column += 1);
      for (let column = from - 1; column >= first && relaxColumn(column); column -= 1);
    };

    const flyOn = (vertex, cost) => {
      const column = vertex % grid.columns;
      const row = Math.floor(vertex / grid.columns);
      for (let y = -1; y <= 1; y += 1) {
        for (let x = -1; x <= 1; x += 1) {
          const clear = (x || y) && isFree(layer, column + x, row + y) &&
            isFree(layer, column, row + y) && isFree(layer, column + x, row);
          if (!clear) continue;
          const length = (x && y ? Math.SQRT2 : 1) * grid.spacing;
          float(vertex + y * grid.columns + x, cost + length / layer.speed, vertex);
        }
      }
      if (!layer.walks) return;
      for (const under of [vertex, vertex + grid.columns]) {
        for (const spot of layer.standing.get(under) ?? []) {
          const touch = contact(layer, spot);
          if (!touch || touch.vertex !== vertex) continue;
          const total = cost + touch.gap / layer.speed;
          if (improve(FLOOR + spot.number, total, vertex)) {
            arrive(spot.platform, [columnX(grid, column), spot.height], total, FLOOR + spot.number);
          }
        }
      }
    };

    if (start.platform !== undefined) arrive(start.platform, start.position, 0, -1);
    else float(start.vertex, 0, -1);
    for (let least = open.pop(); least; least = open.pop()) {
      const { node } = least;
      const cost = costs.get(node);
      // What was reached more cheaply since is in the heap anew.
      if (done.has(node)) continue;
      done.add(node);
      if (node === GOAL || node === goal.vertex) {
        const steps = trace(layer, { costs, parents, node, start, goal, FLOOR, LINK, GOAL });
        return { outcome: "found", reason: "", cost, expanded, steps, start, goal };
      }
      expanded += 1;
      if (node >= LINK) {
        const link = agent.links[node - LINK];
        arrive(link.toPlatform, link.to, cost + link.duration, node);
      } else {
        flyOn(node, cost);
      }
    }
    return { ...nothing("the goal cannot be reached from the start"), expanded, start, goal };
  }

  /** The steps of a path, from its last node back to the start. */
  function trace(layer, { parents, node, start, goal, FLOOR, LINK, GOAL }) {
    const { agent, grid } = layer;
    const nodes = [];
    for (let at = node; at !== -1; at = parents.get(at)) nodes.unshift(at);
    const steps = [];
    let here = { position: start.position, platform: start.platform };
    const go = (there) => {
      const [a, b] = [here.position, there.position];
      const onFloor = here.platform !== undefined && here.platform === there.platform;
      if (a[0] !== b[0] || a[1] !== b[1]) {
        const length = onFloor
          ? Math.abs(along(layer, here.platform, b) - along(layer, here.platform, a))
          : Math.hypot(b[0] - a[0], b[1] - a[1]);
        const step = {
          kind: onFloor ? CLIMBS[agent.kinds[here.platform]] : "fly", from: a, to: b,
          duration: length / (onFloor ? speedOn(layer, here.platform) : layer.speed),
          platform: onFloor ? here.platform : undefined,
        };
        const last = steps[steps.length - 1];
        if (last && joins(last, step)) {
          last.to = b;
          last.duration += step.duration;
        } else {
          steps.push(step);
        }
      }
      here = there;
    };
    for (const at of nodes) {
      if (at === GOAL) {
        go({ position: goal.position, platform: goal.platform });
      } else if (at >= LINK) {
        const link = agent.links[at - LINK];
        go({ position: link.from, platform: link.fromPlatform });
        // Taking hold of a ladder at its foot is nothing to tell a person.
        const still = link.duration === 0 && link.from[0] === link.to[0] && link.from[1] === link.to[1];
        if (!still) {
          steps.push({ kind: link.kind, from: link.from, to: link.to, duration: link.duration, link: at - LINK });
        }
        here = { position: link.to, platform: link.toPlatform };
      } else if (at >= FLOOR) {
        const spot = layer.spots[at - FLOOR];
        go({ position: [columnX(grid, spot.vertex % grid.columns), spot.height], platform: spot.platform });
      } else {
        go({ position: vertexPosition(grid, at % grid.columns, Math.floor(at / grid.columns)) });
      }
    }
    return steps;
  }

  /** Whether a step goes on where the last one ended, in its direction. */
  function joins(last, step) {
    if (last.kind !== step.kind || last.platform !== step.platform) return false;
    if (last.kind !== "fly") return last.link === undefined;
    const cross = (last.to[0] - last.from[0]) * (step.to[1] - step.from[1]) -
      (last.to[1] - last.from[1]) * (step.to[0] - step.from[0]);
    return Math.abs(cross) < 1e-9;
  }

  return { findPath };
})();
