"use strict";
// What the panel tells, in words: numbers, a vertex, what changed.
const NavTell = (() => {
  const num = (v) => String(Math.round(v * 1000) / 1000);
  const at = ([x, y]) => `${num(x)}, ${num(y)}`;
  /** A kind of link as people read it. */
  const kind = (name) => name.replaceAll("_", " ");

  /** Replaces what is in an element: text, and [tag, text, attributes]. */
  function fill(element, parts) {
    element.textContent = "";
    for (const part of parts) {
      if (typeof part === "string") {
        element.append(part);
        continue;
      }
      const [tag, text, more] = part;
      element.append(Object.assign(document.createElement(tag), { textContent: text }, more));
    }
  }

  function rows(element, pairs) {
    fill(element, pairs.flatMap(([name, value]) => [["dt", name], ["dd", value]]));
  }

  /** What is known of a vertex, and of the link that is near: names and values. */
  function vertex(layer, hover) {
    const { cell, vertex: number } = hover;
    const spots = layer.standing.get(number) ?? [];
    const type = spots.length ? "on floor" : layer.blocked[number] ? "inside geometry" : "in air";
    const pairs = [
      ["vertex", `column ${cell.column}, row ${cell.row}`],
      ["at", at(NavLayer.vertexPosition(layer.grid, cell.column, cell.row))],
      ["type", type],
    ];
    for (const spot of spots) {
      const surface = layer.agent.platforms[spot.platform];
      const end = surface.length - 2;
      pairs.push(
        ["feet", num(spot.height)],
        ["platform", `${spot.platform}: x ${num(surface[0])} to ${num(surface[end])}`],
        ["component", String(layer.agent.components[spot.platform])],
      );
    }
    if (hover.link !== undefined) {
      const link = layer.agent.links[hover.link];
      pairs.push(
        [kind(link.kind), `link ${hover.link}`],
        ["from", `${at(link.from)} (platform ${link.fromPlatform})`],
        ["to", `${at(link.to)} (platform ${link.toPlatform})`],
        ["cost", `${num(link.duration)} s`],
        ["tolerance", `${num(link.tolerance)} s`],
      );
    }
    return pairs;
  }

  /**
   * What differs for an agent, what breaks first: { sign, text, box }, where the
   * box is points of the newer file around it.
   */
  function changes(diff, name) {
    const its = diff.agents.find((a) => a.name === name);
    const items = [];
    const place = (p) => `platform ${p.id} (x ${num(p.left[0])}..${num(p.right[0])}, y ${num(p.left[1])})`;
    const box = (p, shift = [0, 0]) => [p.left, p.right].map(([x, y]) => [x + shift[0], y + shift[1]]);
    const shift = diff.shift || [0, 0];
    if (diff.shift) items.push({ sign: "~", text: `everything moved by ${at(diff.shift)}` });
    for (const other of diff.agents_removed) items.push({ sign: "-", text: `agent ${other}` });
    for (const other of diff.agents_added) items.push({ sign: "+", text: `agent ${other}` });
    if (its) {
      const { reach, platforms, links, terrain, profile } = its;
      for (const { spawns, platforms: lost } of reach.lost) {
        for (const p of lost) {
          items.push({ sign: "-", text: `${place(p)} can no longer be reached from ${spawns.join(", ")}`, box: box(p) });
        }
      }
      for (const { spawns, parts } of reach.air_lost) {
        for (const part of parts) {
          const from = spawns.join(", ") || "the rest of the air";
          items.push({ sign: "-", text: `air of ${part.vertices} vertices can no longer be reached from ${from}`, box: [part.min, part.max] });
        }
      }
      if (reach.spawns.length === 0 && reach.pairs) {
        for (const { from, to } of reach.pairs.groups) {
          items.push({ sign: "-", text: `${to.map(place).join(", ")} can no longer be reached from ${from.map(place).join(", ")}`, box: box(to[0]) });
        }
      }
      for (const spawn of reach.stranded) items.push({ sign: "-", text: `no floor under spawn ${spawn} any more` });
      for (const trap of reach.traps) {
        items.push({ sign: "+", text: `a one-way trap: ${trap.platforms.map(place).join(", ")}`, box: box(trap.platforms[0]) });
      }
      for (const { what, old, new: now } of profile) items.push({ sign: "~", text: `${what} ${old} → ${now}` });
      const ways = (facts, sign, by) => {
        const groups = new Map();
        for (const fact of facts) {
          const key = `${kind(fact.kind)} from platform ${fact.from_platform} to ${fact.to_platform}${fact.only_way ? ", the only way" : ""}`;
          if (!groups.has(key)) groups.set(key, []);
          groups.get(key).push(fact);
        }
        for (const [key, group] of groups) {
          const ends = group.flatMap((fact) => [fact.from, fact.to]).map(([x, y]) => [x + by[0], y + by[1]]);
          items.push({ sign, text: `${group.length} × ${key}`, box: ends });
        }
      };
      ways(links.removed, "-", shift);
      for (const p of platforms.vanished) items.push({ sign: "-", text: `${place(p)} vanished`, box: box(p, shift) });
      for (const p of platforms.appeared) items.push({ sign: "+", text: `${place(p)} appeared`, box: box(p) });
      for (const { old, new: now } of platforms.moved) items.push({ sign: "~", text: `${place(old)} moved`, box: box(now) });
      for (const { old, new: now } of platforms.reshaped) items.push({ sign: "~", text: `${place(old)} is of another shape`, box: box(now) });
      for (const [groups, what] of [[platforms.split, "split"], [platforms.merged, "merged"], [platforms.recut, "recut"]]) {
        for (const { old, new: now } of groups) {
          items.push({ sign: "~", text: `${old.map(place).join(", ")} ${what}`, box: now.flatMap((p) => box(p)) });
        }
      }
      ways(links.added, "+", [0, 0]);
      if (links.changed.length > 0) items.push({ sign: "~", text: `${links.changed.length} links changed` });
      for (const region of terrain.regions) {
        items.push({ sign: "~", text: `${region.vertices} vertices are of another type`, box: [region.min, region.max] });
      }
    }
    if (items.length === 0) items.push({ sign: " ", text: "no difference for this agent" });
    return items;
  }

  return { num, at, fill, rows, vertex, changes, kind };
})();
