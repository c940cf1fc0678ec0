"use strict";
// The page: which file, agent and layers are shown, the mouse and the keyboard.
const NavApp = (() => {
  const { num, at, fill, rows } = NavTell;
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("data").textContent);
  data.files.forEach(NavLayer.prepare);
  const canvas = $("canvas");
  const ctx = canvas.getContext("2d");
  const diff = data.diff;

  const state = {
    // The newer file of two.
    file: data.files.length - 1,
    agent: 0,
    view: { left: 0, top: 0, scale: 1 },
    show: { terrain: true, vertices: true, floor: true, fly: true, markers: true, changes: true, links: {} },
    points: [],
    path: null,
    hover: null,
    cursor: null,
  };
  const scenes = new Map();

  const file = () => data.files[state.file];
  const grid = () => file().grid;
  const agent = () => file().agents[state.agent];

  function layerOf(fileIndex, agentIndex) {
    const { agents, grid: its } = data.files[fileIndex];
    return NavLayer.createLayer(agents[agentIndex], its);
  }

  /** The scene in view, made when first needed. */
  function scene() {
    const key = `${state.file} ${state.agent}`;
    if (!scenes.has(key)) {
      const isNew = diff && state.file === data.files.length - 1;
      const changes = (isNew && diff.agents.find((a) => a.name === agent().name)) || null;
      const old = changes && data.files[0].agents.findIndex((a) => a.name === agent().name);
      const before = changes && { layer: layerOf(0, old), shift: diff.shift || [0, 0] };
      const made = NavScene.createScene(layerOf(state.file, state.agent), file().markers, changes, before);
      scenes.set(key, made);
    }
    return scenes.get(key);
  }

  // ---- Drawing -----------------------------------------------------------

  let waiting = false;
  /** Draws before the next frame, once however often it is asked. */
  function redraw() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      drawNow();
    });
  }

  function drawNow() {
    if (!agent()) return null;
    const ratio = window.devicePixelRatio || 1;
    const size = { width: canvas.clientWidth, height: canvas.clientHeight };
    const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    return NavDraw.draw(ctx, size, scene(), state.view, state.show, state, (w, h) =>
      Object.assign(document.createElement("canvas"), { width: w, height: h }));
  }

  function fitAll() {
    // Arcs go above the level's top.
    const box = NavScene.bounds(grid());
    for (const { box: link } of scene().links) box[1] = Math.min(box[1], link[1]);
    state.view = NavScene.fit(box, canvas.clientWidth, canvas.clientHeight);
    redraw();
  }

  function zoom(factor, px, py) {
    const { view } = state;
    const scale = Math.min(Math.max(view.scale * factor, 1e-3), 200);
    view.left += px / view.scale - px / scale;
    view.top += py / view.scale - py / scale;
    view.scale = scale;
    redraw();
  }

  function pan(px, py) {
    state.view.left += px / state.view.scale;
    state.view.top += py / state.view.scale;
    redraw();
  }

  // ---- What the panel tells ----------------------------------------------

  function tellHover() {
    rows($("hover"), state.hover ? NavTell.vertex(scene().layer, state.hover) : []);
  }

  function tellPath() {
    const result = $("path");
    const { path, points } = state;
    if (!path) {
      result.removeAttribute("data-outcome");
      result.removeAttribute("data-cost");
      const ask = points.length === 1 ? "Now click where the path should end." : "Click where a path should start.";
      fill(result, [ask]);
      fill($("steps"), []);
      return;
    }
    result.setAttribute("data-outcome", path.outcome);
    result.setAttribute("data-cost", String(path.cost));
    const found = path.outcome === "found";
    const told = found
      ? `${num(path.cost)} s in ${path.steps.length} steps (${path.expanded} expanded)`
      : `no path: ${path.reason}`;
    fill(result, [told]);
    fill($("steps"), path.steps.map((step) =>
      ["li", `${NavTell.kind(step.kind)}: ${at(step.from)} → ${at(step.to)}, ${num(step.duration)} s`]));
  }

  function pickPoint(position) {
    if (state.points.length >= 2) state.points = [];
    state.points.push(position.map((v) => Math.fround(v)));
    search();
  }

  function search() {
    const [from, to] = state.points;
    state.path = from && to ? NavPath.findPath(scene().layer, from, to) : null;
    tellPath();
    redraw();
    const point = (p) => p.map(num).join(",");
    const parts = [`agent=${encodeURIComponent(agent().name)}`];
    if (to) parts.push(`from=${point(from)}`, `to=${point(to)}`);
    // A link to what is seen; a page of its own may not change its address.
    try {
      history.replaceState(null, "", `#${parts.join("&")}`);
    } catch (error) {
      console.info("the address stays as it is:", error.message);
    }
  }

  function clear() {
    Object.assign(state, { points: [], path: null, cursor: null });
    tellPath();
    redraw();
  }

  // ---- What changed ------------------------------------------------------

  /** A list of what differs; a click shows the place. */
  function tellChanges() {
    const list = $("changes");
    $("review").hidden = !diff;
    if (!diff) return;
    const items = NavTell.changes(diff, agent().name);
    list.textContent = "";
    for (const item of items) {
      const entry = document.createElement("li");
      const button = Object.assign(document.createElement(item.box ? "button" : "span"), { textContent: `${item.sign} ${item.text}` });
      button.className = { "-": "gone", "+": "new" }[item.sign] || "other";
      if (item.box) button.addEventListener("click", () => showBox(item.box));
      entry.append(button);
      list.append(entry);
    }
  }

  /** Brings points into view, with some of what is around them. */
  function showBox(points) {
    const { down, spacing } = grid();
    const xs = points.map((p) => p[0]);
    const ys = points.map((p) => p[1] * down);
    const around = 8 * spacing;
    state.view = NavScene.fit(
      [Math.min(...xs) - around, Math.min(...ys) - around, Math.max(...xs) + around, Math.max(...ys) + around],
      canvas.clientWidth, canvas.clientHeight,
    );
    redraw();
  }

  // ---- Choosing ----------------------------------------------------------

  function option(text, value) {
    return Object.assign(document.createElement("option"), { textContent: text, value });
  }

  function setFile(index) {
    const name = agent() && agent().name;
    state.file = index;
    $("file").value = String(index);
    fill($("agent"), []);
    file().agents.forEach((a, i) => $("agent").append(option(a.name, String(i))));
    const same = file().agents.findIndex((a) => a.name === name);
    setAgent(Math.max(same, 0));
  }

  function setAgent(index) {
    if (!file().agents[index]) return;
    state.agent = index;
    $("agent").value = String(index);
    const { profile, platforms, links } = agent();
    rows($("about"), [
      ["body", profile.body.join(" × ")], ["run speed", num(profile.run_speed)],
      ["jump height", num(profile.jump_height)], ["edges", agent().edges.join(", ")],
      ["platforms", String(platforms.length)], ["links", String(links.length)],
    ]);
    layerToggles();
    linkToggles();
    tellChanges();
    state.hover = null;
    tellHover();
    search();
  }

  /** A switch a kind of link. */
  function linkToggles() {
    const kinds = [...new Set(agent().links.map((link) => link.kind))].sort();
    const box = $("kinds");
    box.textContent = "";
    for (const kind of kinds) {
      const input = Object.assign(document.createElement("input"), {
        type: "checkbox", id: `show-${kind}`, checked: state.show.links[kind] !== false,
      });
      input.addEventListener("change", () => {
        state.show.links[kind] = input.checked;
        redraw();
      });
      const label = Object.assign(document.createElement("label"), { htmlFor: input.id, textContent: NavTell.kind(kind) });
      label.style.color = NavScene.kindColour(kind);
      label.prepend(input);
      box.append(label);
    }
  }

  const toggles = ["terrain", "vertices", "floor", "fly", "markers", "changes"];

  /** Whether there is anything of a layer to show or hide. */
  function has(name) {
    if (!agent()) return false;
    const { layer, changes, markers } = scene();
    if (name === "fly") return layer.flies;
    if (name === "floor") return layer.agent.platforms.length > 0;
    if (name === "changes") return Boolean(changes);
    return name !== "markers" || markers.length > 0;
  }

  /** Switches for the layers that there are. */
  function layerToggles() {
    for (const name of toggles) $(`show-${name}`).parentElement.hidden = !has(name);
  }

  function toggle(name) {
    if (!has(name)) return;
    state.show[name] = !state.show[name];
    $(`show-${name}`).checked = state.show[name];
    redraw();
  }

  // ---- Mouse and keyboard ------------------------------------------------

  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };

  function hoverAt(world) {
    state.hover = NavScene.pick(scene(), state.show, world, 8 / state.view.scale);
    tellHover();
    redraw();
  }

  let held = null;
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button > 1) return;
    held = { at: place(event), moved: 0 };
    // A pointer that the page made up cannot be captured.
    if (event.isTrusted) canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    const here = place(event);
    if (held) {
      const [dx, dy] = [held.at[0] - here[0], held.at[1] - here[1]];
      held.moved += Math.hypot(dx, dy);
      held.at = here;
      // A hand that shakes while clicking does not drag.
      if (held.moved > 4) pan(dx, dy);
    } else {
      state.cursor = null;
      hoverAt(NavScene.toWorld(state.view, grid(), ...here));
    }
  });
  canvas.addEventListener("pointerup", (event) => {
    if (held && held.moved <= 4 && event.button === 0) {
      pickPoint(NavScene.toWorld(state.view, grid(), ...place(event)));
    }
    held = null;
  });
  canvas.addEventListener("pointercancel", () => {
    held = null;
  });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * 0.0015), ...place(event));
  }, { passive: false });

  /** Moves the cross of the keyboard by cells, and keeps it in view. */
  function moveCursor(columns, rowsDown) {
    const { spacing, down } = grid();
    const [w, h] = [canvas.clientWidth, canvas.clientHeight];
    const from = state.cursor || NavScene.toWorld(state.view, grid(), w / 2, h / 2);
    state.cursor = [from[0] + columns * spacing, from[1] + rowsDown * spacing * down];
    const [x, y] = NavScene.toScreen(state.view, grid(), state.cursor);
    const over = (v, end) => Math.min(v - 20, 0) + Math.max(v - end + 20, 0);
    pan(over(x, w), over(y, h));
    hoverAt(state.cursor);
  }

  const keys = {
    ArrowLeft: (e) => (e.shiftKey ? pan(-60, 0) : moveCursor(-1, 0)),
    ArrowRight: (e) => (e.shiftKey ? pan(60, 0) : moveCursor(1, 0)),
    ArrowUp: (e) => (e.shiftKey ? pan(0, -60) : moveCursor(0, -1)),
    ArrowDown: (e) => (e.shiftKey ? pan(0, 60) : moveCursor(0, 1)),
    Enter: () => pickPoint(state.cursor || NavScene.toWorld(state.view, grid(), canvas.clientWidth / 2, canvas.clientHeight / 2)),
    Escape: clear,
    "+": () => zoom(1.25, canvas.clientWidth / 2, canvas.clientHeight / 2),
    "=": () => keys["+"](),
    "-": () => zoom(0.8, canvas.clientWidth / 2, canvas.clientHeight / 2),
    0: fitAll,
    a: () => setAgent((state.agent + 1) % file().agents.length),
    o: () => setFile((state.file + 1) % data.files.length),
    t: () => toggle("terrain"),
    v: () => toggle("vertices"),
    f: () => toggle("floor"),
    y: () => toggle("fly"),
    m: () => toggle("markers"),
    c: () => toggle("changes"),
  };
  keys[" "] = keys.Enter;
  canvas.addEventListener("keydown", (event) => {
    const action = keys[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action(event);
  });

  // ---- Beginning ---------------------------------------------------------

  data.files.forEach((f, i) => $("file").append(option(f.file, String(i))));
  $("files").hidden = data.files.length < 2;
  $("file").addEventListener("change", () => setFile(Number($("file").value)));
  $("agent").addEventListener("change", () => setAgent(Number($("agent").value)));
  $("fit").addEventListener("click", fitAll);
  $("clear").addEventListener("click", clear);
  for (const name of toggles) {
    $(`show-${name}`).checked = state.show[name];
    $(`show-${name}`).addEventListener("change", () => {
      state.show[name] = $(`show-${name}`).checked;
      redraw();
    });
  }
  window.addEventListener("resize", redraw);

  /** Shows what the address asks for: #agent=NAME&from=X,Y&to=X,Y */
  function readAddress(hash) {
    const wanted = new Map(hash.slice(1).split("&").map((part) => {
      const [name, value = ""] = part.split("=");
      return [name, decodeURIComponent(value)];
    }));
    const named = file().agents.findIndex((a) => a.name === wanted.get("agent"));
    const point = (text = "") => text.split(",").map(Number);
    const points = [point(wanted.get("from")), point(wanted.get("to"))];
    if (points.every((p) => p.length === 2 && p.every(Number.isFinite))) state.points = points;
    setAgent(Math.max(named, 0));
  }

  // Choosing a file writes the address; what it asks for is read before.
  const asked = location.hash;
  setFile(state.file);
  readAddress(asked);
  if (agent()) fitAll();
  canvas.focus();
  return { state, data, scene, drawNow, pickPoint, fitAll, setAgent, setFile };
})();
