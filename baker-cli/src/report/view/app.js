"use strict";
// The page: the file, agent and layers that are shown, the panel, the mouse and
// the keyboard. A position of the world is in world units; all others are in
// cells of the file that is shown.
//
// A script after this one can show other data (`load`), and do more: `onAgent` is
// called for another agent, `onPointer` and `onKey` for events on the picture, and
// return whether they have used the event; `address` is added to the address.
const NavApp = (() => {
  const $ = (id) => document.getElementById(id);
  const app = {};
  const data = JSON.parse($("data").textContent);
  const canvas = $("canvas");
  const ctx = canvas.getContext("2d");

  const state = {
    // Of two files, the newer one is shown first.
    file: data.files.length - 1,
    agent: 0,
    view: { left: 0, top: 0, scale: 1 },
    /** The layers and kinds of link that are not shown. */
    hidden: new Set(),
    /** The clicked position of the world, and the platform found there. */
    picked: null,
    selected: null,
    hover: null,
    /** The position of the keyboard's cross. */
    cursor: null,
  };
  const scenes = new Map();
  const pictures = new Map();

  const file = () => data.files[state.file];
  const grid = () => file().grid;
  const agent = () => file().agents[state.agent];
  const size = () => ({ width: canvas.clientWidth, height: canvas.clientHeight });
  const isNewest = () => state.file === data.files.length - 1;
  /** Paths belong to the last file. */
  const paths = () => (isNewest() ? data.paths.filter((path) => path.agent === agent().name) : []);

  const toCells = ([x, y]) =>
    [(x - grid().origin[0]) / grid().spacing, ((y - grid().origin[1]) * grid().down) / grid().spacing];
  const toWorld = ([x, y]) => [grid().origin[0] + x * grid().spacing, grid().origin[1] + y * grid().down * grid().spacing];
  const onCanvas = ([x, y]) => [(x - state.view.left) * state.view.scale, (y - state.view.top) * state.view.scale];
  const atPixel = ([x, y]) => [state.view.left + x / state.view.scale, state.view.top + y / state.view.scale];
  const middle = () => atPixel([size().width / 2, size().height / 2]);

  /** The picture of the level and where it is, if the page has one. */
  function picture() {
    const { art } = file();
    if (typeof art !== "string") return art;
    if (!pictures.has(art)) {
      const image = Object.assign(document.createElement("img"), { onload: () => redraw(), src: art });
      pictures.set(art, { image, box: [0, 0, grid().columns, grid().rows] });
    }
    return pictures.get(art);
  }

  /** The shapes in view and the lines of links and platforms, built when they are first needed. */
  function scene() {
    const key = `${state.file} ${state.agent}`;
    if (!scenes.has(key)) {
      const drawn = [...agent().shapes, ...file().markers, ...paths().flatMap((path) => path.shapes)].map(NavDraw.load);
      const shapes = [...(file().collision ?? []), ...drawn];
      const linesOf = (test) => shapes.filter((shape) => shape.ids && test(shape)).flatMap(({ lines }) => lines);
      const links = linesOf((shape) => shape.layer !== "floor");
      scenes.set(key, { shapes, links, platforms: linesOf((shape) => shape.layer === "floor") });
    }
    return scenes.get(key);
  }

  // ---- Drawing -----------------------------------------------------------

  let waiting = false;
  /** Draws before the next frame; several calls draw once. */
  function redraw() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      drawNow();
    });
  }

  function isShown(layer) {
    // One-way walls are terrain.
    return !state.hidden.has(["gates", "heads"].includes(layer) ? "terrain" : layer);
  }

  /** How a shape is painted; undefined while it is hidden. */
  function paintOf({ layer, paint, plain }) {
    if (!isShown(layer)) return undefined;
    const now = agent().compared && !isShown("changes") ? plain : paint;
    // The tint must not hide the picture beneath.
    const isTint = now && layer === "terrain" && picture() && isShown("art");
    return isTint ? { ...now, alpha: now.alpha.map((alpha) => 0.4 * alpha) } : now;
  }

  /** What is drawn on top: the link under the mouse, the selection and the cross. */
  function highlights() {
    const { hover, selected, cursor } = state;
    const { links, platforms } = scene();
    const linksWith = (end) =>
      links.filter(({ id }) => agent().links[id][end] === selected && isShown(agent().links[id].kind));
    const [x, y] = cursor ?? [];
    const arm = 12 / state.view.scale;
    const cross = [[x - arm, y, x + arm, y], [x, y - arm, x, y + arm]].map((points) => ({ points, box: [x, y, x, y] }));
    const [head, width] = [[0.4, 3, 9], [0.12, 1.5, 3]];
    return [
      { lines: links.filter(({ id }) => id === hover?.link), width: [0.08, 2.7, 4], head },
      { lines: platforms.filter(({ id }) => id === selected), width: [0, 4, 4] },
      { lines: linksWith("toPlatform"), width, head, dash: [0, 4, 4], alpha: 0.5 },
      { lines: linksWith("fromPlatform"), width, head, colour: "#ffd63d" },
      { lines: cursor ? cross : [], width: [0, 1, 1] },
    ].map(({ colour = "#ffffff", alpha = 1, ...lines }) => {
      const paint = { colour, alpha: [0, alpha, alpha] };
      return { layer: "selection", paint, plain: paint, zoom: [0, Infinity], form: "lines", ...lines };
    });
  }

  /** Draws everything, and returns how many things of each layer. */
  function drawNow() {
    if (!agent()) return null;
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [Math.round(size().width * ratio), Math.round(size().height * ratio)];
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.fillStyle = NavDraw.BACKGROUND;
    ctx.fillRect(0, 0, size().width, size().height);
    if (picture() && isShown("art")) {
      const { image, box } = picture();
      const [[left, top], [right, bottom]] = [onCanvas(box), onCanvas(box.slice(2))];
      ctx.imageSmoothingEnabled = false;
      ctx.globalAlpha = 0.6;
      ctx.drawImage(image, left, top, right - left, bottom - top);
    }
    const shapes = [...scene().shapes, ...highlights()];
    return NavDraw.draw(ctx, size(), shapes, state.view, paintOf);
  }

  function fitAll() {
    // Jumps rise above the top of the level.
    const top = scene().links.reduce((least, { box }) => Math.min(least, box[1]), 0);
    state.view = NavDraw.fit([0, top, grid().columns, grid().rows], size());
    redraw();
  }

  /** Zooms around a pixel. */
  function zoom(factor, [px, py]) {
    const [x, y] = atPixel([px, py]);
    const scale = Math.min(Math.max(state.view.scale * factor, 1e-2), 2000);
    state.view = { left: x - px / scale, top: y - py / scale, scale };
    redraw();
  }

  function pan(px, py) {
    [state.view.left, state.view.top] = atPixel([px, py]);
    redraw();
  }

  // ---- The panel ---------------------------------------------------------

  const num = (v) => String(Math.round(v * 1000) / 1000);
  const pair = ([x, y]) => `${num(x)}, ${num(y)}`;
  /** The name of a kind of link as a label. */
  const label = (name) => name.replaceAll("_", " ");

  function element(tag, textContent, more) {
    return Object.assign(document.createElement(tag), { textContent, ...more });
  }

  /** Replaces the content of an element. */
  function fill(id, parts) {
    $(id).textContent = "";
    $(id).append(...parts);
  }

  function rows(id, pairs) {
    fill(id, pairs.flatMap(([name, value]) => [element("dt", name), element("dd", value)]));
  }

  /** Names and values of the vertex at a cell. */
  function vertexRows([column, row]) {
    const feet = agent().standing.filter(([c, r]) => c === column && r === row);
    const isIn = ([left, top, right, bottom]) => left <= column && column < right && top <= row + 0.5 && row + 0.5 < bottom;
    const type = scene().shapes.find((shape) => shape.form === "lattice" && shape.rects.some(isIn));
    const pairs = [
      ["vertex", `column ${column}, row ${row}`],
      ["at", pair(toWorld([column + 0.5, row + 1]))],
      ["type", feet.length > 0 ? "on floor" : type?.name ?? ""],
    ];
    for (const [, , platform, height] of feet) {
      const [text, component] = agent().platforms[platform];
      pairs.push(["feet", num(height)], ["stands on", text], ["component", String(component)]);
    }
    return pairs;
  }

  function platformRows(id) {
    const [text, component] = agent().platforms[id] ?? [];
    return text ? [["on", text], ["component", String(component)]] : [];
  }

  function linkRows(id) {
    const { kind, from, to, fromPlatform, toPlatform, duration, tolerance } = agent().links[id];
    return [
      [label(kind), `link ${id}`],
      ["from", `${pair(from)} (platform ${fromPlatform})`], ["to", `${pair(to)} (platform ${toPlatform})`],
      ["cost", `${num(duration)} s`], ["tolerance", `${num(tolerance)} s`],
    ];
  }

  function showHover() {
    const { hover } = state;
    if (!hover) return rows("hover", []);
    const link = hover.link === undefined ? [] : linkRows(hover.link);
    const place = isShown("vertices") ? vertexRows(hover.cell) : platformRows(hover.platform);
    return rows("hover", [...(hover.marker ?? []), ...place, ...link]);
  }

  /** The links of a platform, one line per kind and neighbour. */
  function linksOf(platform) {
    const counts = new Map();
    for (const [end, other, word] of [["fromPlatform", "toPlatform", "to"], ["toPlatform", "fromPlatform", "from"]]) {
      for (const link of agent().links.filter((one) => one[end] === platform)) {
        const text = `${label(link.kind)} ${word} platform ${link[other]}`;
        counts.set(text, (counts.get(text) ?? 0) + 1);
      }
    }
    return [...counts].map(([text, count]) => (count > 1 ? `${count} × ${text}` : text));
  }

  function showSelection() {
    const { selected } = state;
    const hint = agent().platforms.length > 0 ? "Click a platform to see its links." : "This agent has no platforms.";
    fill("selected", [selected === null ? hint : agent().platforms[selected][0]]);
    fill("links", selected === null ? [] : linksOf(selected).map((text) => element("li", text)));
  }

  /** Selects the platform near a position of the world, or nothing; the address bar has a link to what is shown. */
  function pickPoint(position) {
    const radius = Math.max(12 / state.view.scale, 2);
    const line = position && NavDraw.nearestLine(scene().platforms, toCells(position), radius);
    Object.assign(state, { picked: position, selected: line?.id ?? null });
    showSelection();
    redraw();
    const at = position ? `&at=${position.map(num).join(",")}` : "";
    // Browsers refuse this for some local files.
    try {
      history.replaceState(null, "", `#agent=${encodeURIComponent(agent().name)}${at}${app.address?.() ?? ""}`);
    } catch (error) {
      console.info("the address is not updated:", error.message);
    }
  }

  function clear() {
    state.cursor = null;
    pickPoint(null);
  }

  /** Lists the differences; a click on one shows its place. */
  function showChanges() {
    $("review").hidden = !data.changes;
    if (!data.changes) return;
    const items = data.changes.filter((change) => change.agent === null || change.agent === agent().name);
    if (items.length === 0) items.push({ sign: " ", text: "no difference for this agent" });
    fill("changes", items.map(({ sign, text, bounds }) => {
      const className = { "-": "gone", "+": "new" }[sign] || "other";
      const entry = element(bounds ? "button" : "span", `${sign} ${text}`, { className });
      if (bounds) entry.addEventListener("click", () => showBounds(bounds));
      const item = element("li", "");
      item.append(entry);
      return item;
    }));
  }

  /** Brings two corners of the world into view, with a margin of some cells. */
  function showBounds(corners) {
    const [[ax, ay], [bx, by]] = corners.map(toCells);
    state.view = NavDraw.fit([Math.min(ax, bx) - 8, Math.min(ay, by) - 8, Math.max(ax, bx) + 8, Math.max(ay, by) + 8], size());
    redraw();
  }

  // ---- Menus and check boxes ---------------------------------------------

  /** Shows other data at the same place of the world. */
  function load(next) {
    setFile(next.files.length - 1, next);
  }

  function setFile(index, next = data) {
    const name = agent() && agent().name;
    const corner = toWorld([state.view.left, state.view.top]);
    const scale = state.view.scale / grid().spacing;
    if (next !== data) scenes.clear();
    Object.assign(data, next);
    state.file = index;
    const [left, top] = toCells(corner);
    state.view = { left, top, scale: scale * grid().spacing };
    $("file").value = String(index);
    fill("agent", file().agents.map((a, i) => element("option", a.name, { value: String(i) })));
    setAgent(Math.max(file().agents.findIndex((a) => a.name === name), 0));
    redraw();
  }

  function setAgent(index) {
    if (!file().agents[index]) return;
    state.agent = index;
    $("agent").value = String(index);
    rows("about", agent().about);
    for (const name of Object.values(toggles)) $(`show-${name}`).parentElement.hidden = !has(name);
    linkToggles();
    showChanges();
    $("paths").hidden = paths().length === 0;
    fill("steps", paths().flatMap(({ outcome, steps }) => [outcome, ...steps].map((text) => element("li", text))));
    state.hover = null;
    showHover();
    pickPoint(state.picked);
    app.onAgent?.();
  }

  /** One check box per kind of link that the agent has. */
  function linkToggles() {
    const kinds = [...new Set(agent().links.map((link) => link.kind))].sort();
    fill("kinds", kinds.map((kind) => {
      const input = element("input", "", { type: "checkbox", id: `show-${kind}`, checked: isShown(kind) });
      input.addEventListener("change", () => show(kind, input.checked));
      const box = element("label", label(kind), { htmlFor: input.id });
      box.style.color = scene().shapes.find((shape) => shape.layer === kind && shape.plain).plain.colour;
      box.prepend(input);
      return box;
    }));
  }

  /** What can be shown and hidden, by its key. */
  const toggles = {
    l: "art", s: "collision", t: "terrain", v: "vertices", f: "floor", y: "fly", m: "markers", c: "changes", p: "paths",
  };

  /** Whether a layer has anything to show. */
  function has(name) {
    if (!agent()) return false;
    if (name === "art") return Boolean(picture());
    if (name === "changes") return agent().compared;
    if (name === "paths") return paths().length > 0;
    if (name === "markers") return file().places.length > 0;
    return ["terrain", "vertices"].includes(name) || scene().shapes.some((shape) => shape.layer === name);
  }

  function show(name, isOn) {
    state.hidden[isOn ? "delete" : "add"](name);
    $(`show-${name}`).checked = isOn;
    redraw();
  }

  // ---- Mouse and keyboard ------------------------------------------------

  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };

  /** Shows what is at a position: the vertex, and the link and the marker within some pixels. */
  function hoverAt([x, y]) {
    const radius = 8 / state.view.scale;
    const clamp = (v, end) => Math.min(Math.max(v, 0), Math.max(end - 1, 0));
    const links = scene().links.filter(({ id }) => isShown(agent().links[id].kind));
    const area = ([[left, top, right, bottom]]) => (right - left) * (bottom - top);
    const near = file().places.filter(([[left, top, right, bottom]]) => {
      // The sign of a marker without a size stands on its place.
      const above = right > left || bottom > top ? radius : 2 * radius;
      return x >= left - radius && x <= right + radius && y >= top - above && y <= bottom + radius;
    });
    const [marker] = near.sort((a, b) => area(a) - area(b));
    state.hover = {
      cell: [clamp(Math.floor(x), grid().columns), clamp(Math.round(y) - 1, grid().rows)],
      link: NavDraw.nearestLine(links, [x, y], radius)?.id,
      platform: NavDraw.nearestLine(scene().platforms, [x, y], radius)?.id,
      marker: isShown("markers") ? marker?.[1] : undefined,
    };
    showHover();
    redraw();
  }

  /** For each pointer that is down: where it was last, and how far it has moved. */
  const held = new Map();
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button > 1) return;
    held.set(event.pointerId, { at: place(event), moved: 0 });
    // Browsers refuse to capture pointers of events made by scripts.
    if (event.isTrusted) canvas.setPointerCapture(event.pointerId);
    if (held.size === 1) app.onPointer?.(event);
  });
  canvas.addEventListener("pointermove", (event) => {
    const here = place(event);
    const own = held.get(event.pointerId);
    if (!own) {
      state.cursor = null;
      hoverAt(atPixel(here));
      app.onPointer?.(event);
      return;
    }
    const last = own.at;
    const [dx, dy] = [last[0] - here[0], last[1] - here[1]];
    own.moved += Math.hypot(dx, dy);
    own.at = here;
    const other = [...held.values()].find((one) => one !== own);
    if (other) {
      // Two fingers move and zoom the view.
      const apart = ([x, y]) => Math.hypot(x - other.at[0], y - other.at[1]) || 1;
      pan(dx / 2, dy / 2);
      zoom(apart(here) / apart(last), other.at);
    } else if (!app.onPointer?.(event) && own.moved > 4) {
      // Up to 4 pixels of movement still count as a click.
      pan(dx, dy);
    }
  });
  canvas.addEventListener("pointerup", (event) => {
    const own = held.get(event.pointerId);
    if (held.size === 1 && own?.moved <= 4 && event.button === 0 && !app.onPointer?.(event)) pickPoint(toWorld(atPixel(place(event))));
    held.delete(event.pointerId);
  });
  canvas.addEventListener("pointercancel", (event) => held.delete(event.pointerId));
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * 0.0015), place(event));
  }, { passive: false });

  /** Moves the keyboard's cross by cells and keeps it in view. */
  function moveCursor(columns, rowsDown) {
    const from = state.cursor || middle();
    state.cursor = [from[0] + columns, from[1] + rowsDown];
    const [x, y] = onCanvas(state.cursor);
    const over = (v, end) => Math.min(v - 20, 0) + Math.max(v - end + 20, 0);
    pan(over(x, size().width), over(y, size().height));
    hoverAt(state.cursor);
  }

  const arrow = (dx, dy) => (event) => (event.shiftKey ? pan(60 * dx, 60 * dy) : moveCursor(dx, dy));
  const zoomBy = (factor) => () => zoom(factor, [size().width / 2, size().height / 2]);
  const select = () => pickPoint(toWorld(state.cursor || middle()));
  const keys = {
    ArrowLeft: arrow(-1, 0), ArrowRight: arrow(1, 0), ArrowUp: arrow(0, -1), ArrowDown: arrow(0, 1),
    Enter: select, " ": select, Escape: clear, "+": zoomBy(1.25), "=": zoomBy(1.25), "-": zoomBy(0.8), 0: fitAll,
    a: () => setAgent((state.agent + 1) % file().agents.length),
    o: () => setFile((state.file + 1) % data.files.length),
  };
  for (const [key, name] of Object.entries(toggles)) keys[key] = () => has(name) && show(name, !isShown(name));
  canvas.addEventListener("keydown", (event) => {
    if (app.onKey?.(event)) return event.preventDefault();
    const action = keys[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action(event);
  });

  // ---- Start -------------------------------------------------------------

  fill("file", data.files.map((f, i) => element("option", f.file, { value: String(i) })));
  $("file").parentElement.hidden = data.files.length < 2;
  $("file").addEventListener("change", () => setFile(Number($("file").value)));
  $("agent").addEventListener("change", () => setAgent(Number($("agent").value)));
  $("fit").addEventListener("click", fitAll);
  $("clear").addEventListener("click", clear);
  for (const name of Object.values(toggles)) {
    $(`show-${name}`).checked = true;
    $(`show-${name}`).addEventListener("change", () => show(name, $(`show-${name}`).checked));
  }
  window.addEventListener("resize", redraw);

  /** What the address names: #agent=NAME&at=X,Y. Choosing a file overwrites it. */
  const asked = new Map(location.hash.slice(1).split("&").map((part) => {
    const [name, value = ""] = part.split("=");
    return [name, decodeURIComponent(value)];
  }));
  setFile(state.file);
  if (agent()) {
    // Without an agent, the one that has paths.
    const name = asked.get("agent") ?? data.paths[0]?.agent;
    const at = (asked.get("at") ?? "").split(",").map(Number);
    setAgent(Math.max(file().agents.findIndex((a) => a.name === name), 0));
    fitAll();
    if (at.length === 2 && at.every(Number.isFinite)) pickPoint(at);
  }
  canvas.focus();
  /** Where a position of the world is on the canvas. */
  const toScreen = (position) => onCanvas(toCells(position));
  /** The position of the world at an event on the picture. */
  const at = (event) => toWorld(atPixel(place(event)));
  return Object.assign(app, { state, asked, data, agent, grid, size, at, load, drawNow, redraw, show, fitAll, zoom, toScreen, toCells, vertexRows, setAgent, setFile });
})();
