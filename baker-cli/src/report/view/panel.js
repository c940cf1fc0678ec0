"use strict";
// The texts of the panel beside the picture.
const NavPanel = (() => {
  const num = (v) => String(Math.round(v * 1000) / 1000);
  const at = ([x, y]) => `${num(x)}, ${num(y)}`;
  /** The name of a kind of link or motion as a label. */
  const label = (name) => name.replaceAll("_", " ");

  /** Replaces the content of an element with texts and [tag, text] pairs. */
  function fill(element, parts) {
    element.textContent = "";
    for (const part of parts) {
      if (typeof part === "string") {
        element.append(part);
      } else {
        element.append(Object.assign(document.createElement(part[0]), { textContent: part[1] }));
      }
    }
  }

  function rows(element, pairs) {
    fill(element, pairs.flatMap(([name, value]) => [["dt", name], ["dd", value]]));
  }

  /** A platform in one line. */
  function platform(layer, id) {
    const surface = layer.agent.platforms[id];
    const end = surface.length - 2;
    const range = (a, b) => (a === b ? num(a) : `${num(a)} to ${num(b)}`);
    const kind = layer.agent.kinds[id] === "floor" ? "platform" : layer.agent.kinds[id];
    return `${kind} ${id}: x ${range(surface[0], surface[end])}, y ${range(surface[1], surface[end + 1])}`;
  }

  /** Names and values of a vertex and of the link near it. */
  function vertex(layer, { cell, link }) {
    const { grid, agent } = layer;
    const floors = NavLayer.floorsAt(layer, cell.column, cell.row);
    const index = cell.row * grid.columns + cell.column;
    const type = layer.floor[index] ? "on floor" : layer.blocked[index] ? "inside geometry" : "in air";
    const pairs = [
      ["vertex", `column ${cell.column}, row ${cell.row}`],
      ["at", at(NavLayer.vertexPosition(grid, cell.column, cell.row))],
      ["type", type],
    ];
    for (const floor of floors) {
      pairs.push(
        ["feet", num(floor.height)],
        ["stands on", platform(layer, floor.platform)],
        ["component", String(agent.components[floor.platform])],
      );
    }
    if (link !== undefined) {
      const its = agent.links[link];
      pairs.push(
        [label(its.kind), `link ${link}`],
        ["from", `${at(its.from)} (platform ${its.fromPlatform})`],
        ["to", `${at(its.to)} (platform ${its.toPlatform})`],
        ["cost", `${num(its.duration)} s`],
        ["tolerance", `${num(its.tolerance)} s`],
      );
    }
    return pairs;
  }

  /** Long texts without their end. */
  const short = (text) => (text.length > 200 ? `${[...text].slice(0, 200).join("")}…` : text);

  /** Names and values of a marker; `side` is which file of a comparison it is in, "old" or "new". */
  function marker(its, diff, side) {
    const isIt = (other) => ["class", "name", "position", "size"].every((key) => String(other[key]) === String(its[key]));
    const { changed = [], added = [], removed = [] } = diff ? diff.markers : {};
    const change = changed.find((one) => isIt(one[side]));
    const only = (side === "new" ? added : removed).some(isIt);
    const pairs = [[its.class || "marker", its.name], ["at", at(its.position)]];
    if (its.size.some((length) => length > 0)) pairs.push(["size", its.size.map(num).join(" × ")]);
    if (only) pairs.push(["change", side === "new" ? "added" : "removed"]);
    if (change?.what.includes("position")) pairs.push(["moved", `${at(change.old.position)} → ${at(change.new.position)}`]);
    if (change?.what.includes("size")) {
      pairs.push(["resized", [change.old, change.new].map(({ size }) => size.map(num).join(" × ")).join(" → ")]);
    }
    const differs = new Map((change?.properties ?? []).map((property) => [property.name, property]));
    for (const [name, value] of Object.entries(its.properties)) {
      if (!differs.has(name)) pairs.push([name, short(value)]);
    }
    for (const { name, old, new: now } of differs.values()) {
      pairs.push([name, old === null ? `${now} (added)` : now === null ? `${old} (removed)` : `${old} → ${now}`]);
    }
    return pairs;
  }

  /** The links of a platform, one line per kind and neighbour. */
  function linksOf(layer, id) {
    const groups = new Map();
    const count = (index, direction, other) => {
      const { kind } = layer.agent.links[index];
      const text = `${label(kind)} ${direction} platform ${other}`;
      groups.set(text, (groups.get(text) || 0) + 1);
    };
    for (const index of layer.leaving[id]) count(index, "to", layer.agent.links[index].toPlatform);
    for (const index of layer.entering[id]) count(index, "from", layer.agent.links[index].fromPlatform);
    return [...groups].map(([text, number]) => (number > 1 ? `${number} × ${text}` : text));
  }

  return { num, label, fill, rows, platform, vertex, marker, linksOf };
})();
