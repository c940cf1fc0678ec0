"use strict";
// The data of one agent, in the form that drawing and picking need.
const NavLayer = (() => {
  /** Builds the layer of an agent. */
  function createLayer(agent, grid) {
    const bits = (rows) => {
      const set = new Uint8Array(grid.columns * grid.rows);
      rows.forEach((runs, row) => {
        for (let i = 0; i < runs.length; i += 2) {
          set.fill(1, row * grid.columns + runs[i], row * grid.columns + runs[i + 1]);
        }
      });
      return set;
    };
    const layer = {
      agent,
      grid,
      flies: agent.profile.edges.includes("fly"),
      blocked: bits(agent.blocked),
      floor: bits(agent.floor),
      // The indices of the links that leave and that enter each platform.
      leaving: agent.platforms.map(() => []),
      entering: agent.platforms.map(() => []),
    };
    agent.links.forEach((link, index) => {
      layer.leaving[link.fromPlatform].push(index);
      layer.entering[link.toPlatform].push(index);
    });
    return layer;
  }

  const columnX = (grid, column) => grid.origin[0] + (column + 0.5) * grid.spacing;
  const rowY = (grid, row) => grid.origin[1] + grid.down * (row + 1) * grid.spacing;
  const vertexPosition = (grid, column, row) => [columnX(grid, column), rowY(grid, row)];

  const isFree = (layer, column, row) =>
    column >= 0 && row >= 0 && column < layer.grid.columns && row < layer.grid.rows &&
    layer.blocked[row * layer.grid.columns + column] === 0;

  /** The cell that contains a position; its lower border belongs to it. */
  function cellAt(grid, [x, y]) {
    const column = Math.floor((x - grid.origin[0]) / grid.spacing);
    const row = Math.ceil(((y - grid.origin[1]) * grid.down) / grid.spacing) - 1;
    const inside = column >= 0 && row >= 0 && column < grid.columns && row < grid.rows;
    return inside ? { column, row } : null;
  }

  /** The cell whose vertex is nearest to a position. */
  function nearestCell(grid, [x, y]) {
    const clamp = (v, end) => Math.min(Math.max(v, 0), Math.max(end - 1, 0));
    const column = Math.floor((x - grid.origin[0]) / grid.spacing);
    const row = Math.round(((y - grid.origin[1]) * grid.down) / grid.spacing) - 1;
    return { column: clamp(column, grid.columns), row: clamp(row, grid.rows) };
  }

  /** The height of a surface [x, y, x, y, …] at x; null to the left and right of it. */
  function heightAt(surface, x) {
    if (x < surface[0] || x > surface[surface.length - 2]) return null;
    for (let i = 0; i < surface.length; i += 2) {
      if (surface[i] === x) return surface[i + 1];
      if (surface[i] < x && surface[i + 2] > x) {
        const part = (x - surface[i]) / (surface[i + 2] - surface[i]);
        return surface[i + 1] + (surface[i + 3] - surface[i + 1]) * part;
      }
    }
    return null;
  }

  /** The floors that pass through the cell of a vertex: { platform, height }. */
  function floorsAt(layer, column, row) {
    const { agent, grid } = layer;
    const [x, y] = vertexPosition(grid, column, row);
    const found = [];
    if (layer.floor[row * grid.columns + column] === 0) return found;
    agent.platforms.forEach((surface, platform) => {
      if (agent.kinds[platform] !== "floor") return;
      const height = heightAt(surface, x);
      const above = height === null ? -1 : (y - height) * grid.down;
      // The file rounds to 32 bits, so the borders of the cell are not exact.
      if (above > -1e-3 * grid.spacing && above < 1.001 * grid.spacing) found.push({ platform, height });
    });
    return found;
  }

  return { createLayer, columnX, rowY, vertexPosition, isFree, cellAt, nearestCell, floorsAt };
})();
