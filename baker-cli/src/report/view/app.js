"use strict";
// The page: the file, agent and layers that are shown, the mouse and the keyboard.
const NavApp = (() => {
  const { num, fill, rows } = NavPanel;
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("data").textContent);
  const canvas = $("canvas");
  const ctx = canvas.getContext("2d");
  const diff = data.diff;

  const state = {
    // Of two files, the newer one is shown first.
    file: data.files.length - 1,
    agent: 0,
    view: { left: 0, top: 0, scale: 1 },
    show: {
      art: true, terrain: true, vertices: true, floor: true, fly: true, markers: true, changes: true, paths: true, links: {},
    },
    /** The clicked position, and the platform found there. */
    picked: null,
    selected: null,
    paths: [],
    hover: null,
    cursor: null,
  };
  const scenes = new Map();
  /** The picture of each level, if the page has it. */
  const pictures = data.files.map(({ art }) =>
    art && Object.assign(document.createElement("img"), { onload: () => redraw(), src: art }));

  const file = () => data.files[state.file];
  const grid = () => file().grid;
  const agent = () => file().agents[state.agent];
  const isNewest = () => state.file === data.files.length - 1;

  function layerOf(fileIndex, agentIndex) {
    const { agents, grid: its } = data.files[fileIndex];
    return NavLayer.createLayer(agents[agentIndex], its);
  }

  /** The scene in view, built when it is first needed. */
  function scene() {
    const key = `${state.file} ${state.agent}`;
    if (!scenes.has(key)) {
      const changes = (diff && isNewest() && diff.agents.find((a) => a.name === agent().name)) || null;
      const old = changes && data.files[0].agents.findIndex((a) => a.name === agent().name);
      const before = changes && { layer: layerOf(0, old), shift: diff.shift || [0, 0] };
      const layer = layerOf(state.file, state.agent);
      scenes.set(key, NavScene.createScene(layer, file().markers, changes, before, pictures[state.file]));
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
    // Jumps rise above the top of the level.
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

  // ---- The panel ---------------------------------------------------------

  function showHover() {
    const { hover } = state;
    const marker = hover?.marker ? NavPanel.marker(hover.marker, diff, isNewest() ? "new" : "old") : [];
    rows($("hover"), hover ? [...marker, ...NavPanel.vertex(scene().layer, hover)] : []);
  }

  function showSelection() {
    const { layer } = scene();
    if (state.selected === null) {
      const hint = layer.agent.platforms.length > 0 ? "Click a platform to see its links." : "This agent has no platforms.";
      fill($("selected"), [hint]);
      fill($("links"), []);
      return;
    }
    fill($("selected"), [NavPanel.platform(layer, state.selected)]);
    fill($("links"), NavPanel.linksOf(layer, state.selected).map((text) => ["li", text]));
  }

  function showPaths() {
    $("paths").hidden = state.paths.length === 0;
    fill($("steps"), state.paths.flatMap(({ outcome, steps }) =>
      [["li", outcome], ...steps.map((step) => ["li", step])]));
  }

  /** Selects the platform near a position. */
  function pickPoint(position) {
    state.picked = position;
    const radius = Math.max(12 / state.view.scale, 2 * grid().spacing);
    state.selected = NavScene.pickPlatform(scene(), position, radius) ?? null;
    showSelection();
    writeAddress();
    redraw();
  }

  function clear() {
    Object.assign(state, { picked: null, selected: null, cursor: null });
    showSelection();
    writeAddress();
    redraw();
  }

  /** Keeps a link to what is shown in the address bar. */
  function writeAddress() {
    const parts = [`agent=${encodeURIComponent(agent().name)}`];
    if (state.picked) parts.push(`at=${state.picked.map(num).join(",")}`);
    // Browsers refuse this for some local files.
    try {
      history.replaceState(null, "", `#${parts.join("&")}`);
    } catch (error) {
      console.info("the address is not updated:", error.message);
    }
  }

  // ---- Changes -----------------------------------------------------------

  /** Lists the differences; a click on one shows its place. */
  function showChanges() {
    const list = $("changes");
    $("review").hidden = !diff;
    if (!diff) return;
    const items = data.changes.filter((change) => change.agent === null || change.agent === agent().name);
    if (items.length === 0) items.push({ sign: " ", text: "no difference for this agent" });
    list.textContent = "";
    for (const { sign, text, bounds } of items) {
      const entry = document.createElement("li");
      const button = Object.assign(document.createElement(bounds ? "button" : "span"), { textContent: `${sign} ${text}` });
      button.className = { "-": "gone", "+": "new" }[sign] || "other";
      if (bounds) button.addEventListener("click", () => showBounds(bounds));
      entry.append(button);
      list.append(entry);
    }
  }

  /** Brings two corners into view, with a margin of some cells. */
  function showBounds(corners) {
    const { down, spacing } = grid();
    const xs = corners.map((p) => p[0]);
    const ys = corners.map((p) => p[1] * down);
    const around = 8 * spacing;
    state.view = NavScene.fit(
      [Math.min(...xs) - around, Math.min(...ys) - around, Math.max(...xs) + around, Math.max(...ys) + around],
      canvas.clientWidth, canvas.clientHeight,
    );
    redraw();
  }

  // ---- Menus and check boxes ---------------------------------------------

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
    const { profile, platforms, links, name } = agent();
    rows($("about"), [
      ["body", profile.body.join(" × ")], ["run speed", num(profile.run_speed)],
      ["jump height", num(profile.jump_height)], ["edges", profile.edges.join(", ")],
      ["platforms", String(platforms.length)], ["links", String(links.length)],
    ]);
    // Paths belong to the last file.
    state.paths = isNewest() ? data.paths.filter((path) => path.agent === name) : [];
    layerToggles();
    linkToggles();
    showChanges();
    showPaths();
    state.hover = null;
    showHover();
    if (state.picked) pickPoint(state.picked);
    else clear();
  }

  /** One check box per kind of link that the agent has. */
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
      const label = Object.assign(document.createElement("label"), { htmlFor: input.id, textContent: NavPanel.label(kind) });
      label.style.color = NavScene.kindColour(kind);
      label.prepend(input);
      box.append(label);
    }
  }

  /** What can be shown and hidden, by its key. */
  const toggles = {
    l: "art", t: "terrain", v: "vertices", f: "floor", y: "fly", m: "markers", c: "changes", p: "paths",
  };

  /** Whether a layer has anything to show. */
  function has(name) {
    if (!agent()) return false;
    const { layer, changes, markers } = scene();
    if (name === "art") return Boolean(scene().art);
    if (name === "fly") return layer.flies;
    if (name === "floor") return layer.agent.platforms.length > 0;
    if (name === "changes") return Boolean(changes);
    if (name === "paths") return state.paths.length > 0;
    return name !== "markers" || markers.length > 0;
  }

  function layerToggles() {
    for (const name of Object.values(toggles)) $(`show-${name}`).parentElement.hidden = !has(name);
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
    showHover();
    redraw();
  }

  let held = null;
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button > 1) return;
    held = { at: place(event), moved: 0 };
    // Browsers refuse to capture pointers of events made by scripts.
    if (event.isTrusted) canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    const here = place(event);
    if (held) {
      const [dx, dy] = [held.at[0] - here[0], held.at[1] - here[1]];
      held.moved += Math.hypot(dx, dy);
      held.at = here;
      // Up to 4 pixels of movement still count as a click.
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

  /** Moves the keyboard's cross by cells and keeps it in view. */
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
  };
  keys[" "] = keys.Enter;
  for (const [key, name] of Object.entries(toggles)) keys[key] = () => toggle(name);
  canvas.addEventListener("keydown", (event) => {
    const action = keys[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action(event);
  });

  // ---- Start -------------------------------------------------------------

  data.files.forEach((f, i) => $("file").append(option(f.file, String(i))));
  $("file").addEventListener("change", () => setFile(Number($("file").value)));
  $("agent").addEventListener("change", () => setAgent(Number($("agent").value)));
  $("fit").addEventListener("click", fitAll);
  $("clear").addEventListener("click", clear);
  for (const name of Object.values(toggles)) {
    $(`show-${name}`).checked = state.show[name];
    $(`show-${name}`).addEventListener("change", () => {
      state.show[name] = $(`show-${name}`).checked;
      redraw();
    });
  }
  window.addEventListener("resize", redraw);

  /** Shows what the address names: #agent=NAME&at=X,Y. Without an agent, the one that has paths. */
  function readAddress(hash) {
    const wanted = new Map(hash.slice(1).split("&").map((part) => {
      const [name, value = ""] = part.split("=");
      return [name, decodeURIComponent(value)];
    }));
    const name = wanted.get("agent") ?? data.paths[0]?.agent;
    const at = (wanted.get("at") ?? "").split(",").map(Number);
    setAgent(Math.max(file().agents.findIndex((a) => a.name === name), 0));
    fitAll();
    if (at.length === 2 && at.every(Number.isFinite)) pickPoint(at);
  }

  // Choosing a file overwrites the address, so the address is read first.
  const asked = location.hash;
  setFile(state.file);
  if (agent()) readAddress(asked);
  canvas.focus();
  return { state, data, scene, drawNow, pickPoint, fitAll, setAgent, setFile };
})();
