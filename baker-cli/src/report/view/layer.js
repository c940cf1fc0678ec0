"use strict";
// One agent's layer as the crate navmesh-runtime sees it: what follows from the
// data of the file, and where an agent near a position is.
//
// Positions in a baked file are 32-bit floats. Where rounding decides which
// floor is meant, it is done here as it is there, with Math.fround.
const NavLayer = (() => {
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
    layer.spots = standingSpots(layer);
    layer.standing = new Map();
    for (const spot of layer.spots) {
      if (!layer.standing.has(spot.vertex)) layer.standing.set(spot.vertex, []);
      layer.standing.get(spot.vertex).push(spot);
    }
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
   * Where feet are at vertices on the floor: vertex, platform, height, and the
   * number of each. Several platforms may pass through one vertex.
   */
  function standingSpots(layer) {
    const spots = [];
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
        spots.push({ number: spots.length, vertex, platform, height });
      }
    });
    return spots;
  }

  /** Where who stands at a vertex is in the air, and how far up that is. */
  function contact(layer, spot) {
    const { grid } = layer;
    const { vertex } = spot;
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

  return {
    CLIMBS, prepare, createLayer, along, speedOn, columnX, rowY, vertexPosition, columnsOf, heightAt, cellAt,
    nearestCell, isFree, contact, locate,
  };
})();
