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
//
// Positions in a baked file are 32-bit floats. Where rounding decides which
// floor is meant, it is done here as it is there, with Math.fround.
const NavPath = (() => {
  const f = Math.fround;

  // ---- What is derived from the data of one agent -------------------------

  /** Rounds the numbers of a file to the 32-bit floats that they stand for. */
  function prepare(file) {
    const { grid } = file;
    grid.origin = grid.origin.map(f);
    grid.spacing = f(grid.spacing);
    for (const agent of file.agents) {
      agent.platforms = agent.platforms.map((surface) => surface.map(f));
      for (const link of agent.links) {
        link.from = link.from.map(f);
        link.to = link.to.map(f);
        link.duration = f(link.duration);
      }
    }
  }

  /** The edges of which moving along a kind of platform is one. */
  const CLIMBS = { floor: "floor", ladder: "ladder", wall: "wall_climb", ceiling: "ceiling_climb" };

  /** The coordinate of a position along a platform: y on ladders and walls. */
  function along(layer, platform, position) {
    const kind = layer.agent.kinds[platform];
    return position[kind === "ladder" || kind === "wall" ? 1 : 0];
  }

  /** Units a second along a platform. */
  const speedOn = (layer, platform) =>
    (layer.agent.kinds[platform] === "floor" ? layer.speed : layer.climbSpeed);

  /** The layer of an agent, ready to be searched. */
  function createLayer(agent, grid) {
    const layer = {
      agent,
      grid,
      speed: f(agent.profile.run_speed),
      climbSpeed: f(agent.profile.climb_speed),
      flies: agent.edges.includes("fly"),
      walks: agent.edges.some((kind) => kind !== "fly"),
      blocked: new Uint8Array(grid.columns * grid.rows),
      // Links of each platform by where they take off along it.
      takeoffs: agent.platforms.map(() => []),
    };
    agent.blocked.forEach((runs, row) => {
      for (let i = 0; i < runs.length; i += 2) {
        layer.blocked.fill(1, row * grid.columns + runs[i], row * grid.columns + runs[i + 1]);
      }
    });
    agent.links.forEach((link, index) => layer.takeoffs[link.fromPlatform].push(index));
    layer.takeoffs.forEach((takeoffs, platform) => {
      const at = (index) => along(layer, platform, agent.links[index].from);
      takeoffs.sort((a, b) => at(a) - at(b) || a - b);
    });
    layer.topSpeed = agent.links.reduce(
      (top, link) => {
        const across = Math.abs(f(link.to[0] - link.from[0]));
        return across > 0 ? Math.max(top, across / link.duration) : top;
      },
      layer.speed,
    );
    layer.standing = standingVertices(layer);
    return layer;
  }

  const columnX = (grid, column) => f(grid.origin[0] + f(f(column + 0.5) * grid.spacing));
  const rowY = (grid, row) => f(grid.origin[1] + f(f(grid.down * f(row + 1)) * grid.spacing));
  const vertexPosition = (grid, column, row) => [columnX(grid, column), rowY(grid, row)];

  const isFree = (layer, column, row) =>
    column >= 0 && row >= 0 && column < layer.grid.columns && row < layer.grid.rows &&
    layer.blocked[row * layer.grid.columns + column] === 0;

  /** The cell that holds a position; its lower border belongs to it. */
  function cellAt(grid, [x, y]) {
    const column = Math.floor(f(f(x - grid.origin[0]) / grid.spacing));
    const row = Math.ceil(f(f(f(y - grid.origin[1]) * grid.down) / grid.spacing)) - 1;
    const inside = column >= 0 && row >= 0 && column < grid.columns && row < grid.rows;
    return inside ? { column, row } : null;
  }

  /** Rounds halves away from zero. */
  const rounded = (v) => Math.sign(v) * Math.round(Math.abs(v));

  function nearestCell(grid, [x, y]) {
    const clamp = (v, end) => Math.min(Math.max(v, 0), Math.max(end - 1, 0));
    const column = Math.floor(f(f(x - grid.origin[0]) / grid.spacing));
    const row = rounded(f(f(f(y - grid.origin[1]) * grid.down) / grid.spacing)) - 1;
    return { column: clamp(column, grid.columns), row: clamp(row, grid.rows) };
  }

  /** The height of a surface [x, y, x, y, …] at x, which it must span. */
  function heightAt(surface, x) {
    let low = 0;
    let high = surface.length / 2;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (surface[2 * middle] <= x) low = middle + 1;
      else high = middle;
    }
    const i = 2 * (low - 1);
    if (i + 2 < surface.length && surface[i] < x) {
      const part = f(f(x - surface[i]) / f(surface[i + 2] - surface[i]));
      return f(surface[i + 1] + f(f(surface[i + 3] - surface[i + 1]) * part));
    }
    return surface[i + 1];
  }

  const leftOf = (surface) => surface[0];
  const rightOf = (surface) => surface[surface.length - 2];

  /** The columns whose vertices lie between the lips of a surface: from, to. */
  function columnsOf(grid, surface) {
    let from = Math.max(0, Math.floor((leftOf(surface) - grid.origin[0]) / grid.spacing) - 2);
    while (from < grid.columns && columnX(grid, from) < leftOf(surface)) from += 1;
    let to = from;
    while (to < grid.columns && columnX(grid, to) <= rightOf(surface)) to += 1;
    return [from, to];
  }

  /**
   * Vertices on the floor: number of the vertex -> platform and height of the
   * feet. Where two platforms pass through one vertex, it is the first one's.
   */
  function standingVertices(layer) {
    const standing = new Map();
    const { grid } = layer;
    layer.agent.platforms.forEach((surface, platform) => {
      if (layer.agent.kinds[platform] !== "floor") return;
      const [from, to] = columnsOf(grid, surface);
      for (let column = from; column < to; column += 1) {
        const x = columnX(grid, column);
        const height = heightAt(surface, x);
        const cell = cellAt(grid, [x, height]);
        if (!cell) continue;
        const vertex = cell.row * grid.columns + column;
        if (!standing.has(vertex)) standing.set(vertex, { platform, height });
      }
    });
    return standing;
  }

  /** Where who stands at a vertex is in the air, and how far up that is. */
  function contact(layer, vertex, spot) {
    const { grid } = layer;
    const column = vertex % grid.columns;
    const row = (vertex - column) / grid.columns;
    const gap = (r) => Math.abs(f(rowY(grid, r) - spot.height));
    if (isFree(layer, column, row) && gap(row) <= f(grid.spacing * f(1e-3))) {
      return { vertex, gap: 0 };
    }
    if (row > 0 && isFree(layer, column, row - 1)) {
      return { vertex: vertex - grid.columns, gap: gap(row - 1) };
    }
    return null;
  }

  // ---- From a position to a place where the agent can be ------------------

  const distance = (a, b) => {
    const [dx, dy] = [f(a[0] - b[0]), f(a[1] - b[1])];
    return f(Math.sqrt(f(f(dx * dx) + f(dy * dy))));
  };

  /** Calls see(platform, x0, y0, x1, y1) for the pieces of every floor, or of
      everything else. */
  function eachPiece(layer, see, floors = true) {
    layer.agent.platforms.forEach((s, platform) => {
      if ((layer.agent.kinds[platform] === "floor") !== floors) return;
      if (s.length === 2) see(platform, s[0], s[1], s[0], s[1]);
      for (let i = 0; i + 3 < s.length; i += 2) see(platform, s[i], s[i + 1], s[i + 2], s[i + 3]);
    });
  }

  /** The highest floor straight below, at most `depth` under the position. */
  function floorBelow(layer, [x, y], depth) {
    const above = f(layer.grid.spacing * f(1e-2));
    let best = null;
    eachPiece(layer, (platform, ax, ay, bx, by) => {
      if (!(ax <= x && x <= bx)) return;
      const part = f(f(x - ax) / f(bx - ax));
      const inner = f(ay + f(f(by - ay) * part));
      const heights = ax < x && x < bx ? [inner] : [ax === x ? ay : by, bx === x ? by : ay];
      for (const height of heights) {
        const under = f(f(height - y) * layer.grid.down);
        if (under < -above || under > depth) continue;
        if (!best || under < best.under || (under === best.under && platform < best.platform)) {
          best = { under, platform, position: [x, height] };
        }
      }
    });
    return best;
  }

  /** The nearest point of any floor within a radius. */
  function nearestFloor(layer, to, radius) {
    let best = null;
    eachPiece(layer, (platform, ax, ay, bx, by) => {
      const out = Math.min(ax, bx) > to[0] + radius || Math.max(ax, bx) < to[0] - radius ||
        Math.min(ay, by) > to[1] + radius || Math.max(ay, by) < to[1] - radius;
      if (out) return;
      const position = nearestOn([ax, ay], [bx, by], to);
      const away = distance(position, to);
      if (away > radius) return;
      const better = !best || away < best.away || (away === best.away &&
        (platform < best.platform || (platform === best.platform && position[0] < best.position[0])));
      if (better) best = { away, platform, position };
    });
    return best;
  }

  /** The nearest point of anything that is climbed within a radius. */
  function nearestHold(layer, to, radius) {
    let best = null;
    eachPiece(layer, (platform, ax, ay, bx, by) => {
      const clamp = (v, a, b) => Math.min(Math.max(v, Math.min(a, b)), Math.max(a, b));
      const position = [clamp(to[0], ax, bx), clamp(to[1], ay, by)];
      const away = distance(position, to);
      if (away <= radius && (!best || away < best.away)) best = { away, platform, position };
    }, false);
    return best;
  }

  function nearestOn(a, b, to) {
    const [dx, dy] = [f(b[0] - a[0]), f(b[1] - a[1])];
    const square = f(f(dx * dx) + f(dy * dy));
    if (square === 0) return a;
    // A step: nothing between its ends can be stood on.
    if (dx === 0) return Math.abs(f(to[1] - a[1])) <= Math.abs(f(to[1] - b[1])) ? a : b;
    const along = f(f(f(to[0] - a[0]) * dx) + f(f(to[1] - a[1]) * dy));
    const t = Math.min(Math.max(f(along / square), 0), 1);
    return t >= 1 ? b : [f(a[0] + f(dx * t)), f(a[1] + f(dy * t))];
  }

  /** The free vertex nearest to a position, at most two cells away. */
  function freeVertex(layer, position) {
    const { grid } = layer;
    const center = nearestCell(grid, position);
    let best = null;
    for (let row = Math.max(center.row - 3, 0); row < Math.min(center.row + 4, grid.rows); row += 1) {
      const last = Math.min(center.column + 4, grid.columns);
      for (let column = Math.max(center.column - 3, 0); column < last; column += 1) {
        const at = vertexPosition(grid, column, row);
        const away = distance(at, position);
        if (away <= f(2 * grid.spacing) && isFree(layer, column, row) && (!best || away < best.away)) {
          best = { away, vertex: row * grid.columns + column, position: at };
        }
      }
    }
    return best;
  }

  /** Where an agent near a position is: on the floor, in the air, or nowhere. */
  function locate(layer, position) {
    const at = [f(position[0]), f(position[1])];
    const floor = (spot) => spot && { platform: spot.platform, position: spot.position };
    const air = (spot) => spot && { vertex: spot.vertex, position: spot.position };
    // Whoever holds on to something is there, whatever floor is below.
    const hair = f(layer.grid.spacing * f(1e-3));
    const hold = layer.walks && nearestHold(layer, at, hair);
    if (hold && !floorBelow(layer, at, hair)) return floor(hold);
    return (layer.walks && floor(floorBelow(layer, at, layer.grid.spacing))) ||
      (layer.flies && air(freeVertex(layer, at))) ||
      (layer.walks && floor(nearestFloor(layer, at, f(2 * layer.grid.spacing)))) ||
      (layer.walks && floor(nearestHold(layer, at, f(2 * layer.grid.spacing)))) ||
      null;
  }

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
    // Numbers of nodes: free vertices, vertices on the floor, links, the goal.
    const [FLOOR, LINK] = [vertices, 2 * vertices];
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
        if (parent === FLOOR + vertex) return true;
        const total = cost + walk(x, there);
        if (!improve(FLOOR + vertex, total, parent)) return false;
        const spot = layer.standing.get(vertex);
        const touch = spot && contact(layer, vertex, spot);
        if (touch) float(touch.vertex, total + touch.gap / layer.speed, FLOOR + vertex);
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
        const spot = layer.standing.get(under);
        const touch = spot && contact(layer, under, spot);
        if (!touch || touch.vertex !== vertex) continue;
        const total = cost + touch.gap / layer.speed;
        if (improve(FLOOR + under, total, vertex)) {
          arrive(spot.platform, [columnX(grid, column), spot.height], total, FLOOR + under);
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
        const spot = layer.standing.get(at - FLOOR);
        go({ position: [columnX(grid, (at - FLOOR) % grid.columns), spot.height], platform: spot.platform });
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

  return {
    prepare, createLayer, findPath, locate, cellAt, nearestCell, vertexPosition, columnX, rowY, columnsOf,
    heightAt, isFree, nearestOn,
  };
})();
