// The page: bakes a level, lets enemies chase a ball in it, and answers questions about it.
import startRuntime, { Navigator } from "navbake/wasm/runtime.js";
import { connect } from "page/service.js";
import { agentText, Configuration } from "page/config.js";
import { View } from "page/view.js";

const $ = (id) => document.getElementById(id);
const view = new View($("canvas"));
const config = new Configuration();

/** The baker's calls, once it is there. */
let baker;
let nav;
/** What was baked: its bytes, its agents with their values, its collision. */
let baked;
let files = {};
let enemies = [];
let agent = "ground";
let mode = "chase";
/** In level pixels, as everything here but what the runtime has. */
const ball = { x: 0, y: 0, radius: 5, isLed: false };
let target = { x: 0, y: 0 };
let path;
let ghost;

const toWorld = ({ x, y }) => ({ x: x / Math.abs(nav.pixelsPerUnit), y: y / nav.pixelsPerUnit });
const toPixels = ({ x, y }) => ({ x: x * Math.abs(nav.pixelsPerUnit), y: y * nav.pixelsPerUnit });
const lineToPixels = (points) => points.map((value, i) => value * (i % 2 ? nav.pixelsPerUnit : Math.abs(nav.pixelsPerUnit)));

function say(text, isError = false) {
  $("status").textContent = text;
  $("status").classList.toggle("error", isError);
}

/** A part of the page as it was built: text, or the bytes of a compressed file. */
const part = (name) => document.getElementById(name).textContent.trim();
async function unpack(name) {
  const packed = Uint8Array.from(atob(part(name)), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// ---- levels -------------------------------------------------------------------------------

/** Shows a mesh. Enemies stay where they are. */
function play(bytes, keepsAgents) {
  if (keepsAgents) {
    nav.setMesh(bytes);
  } else {
    const places = enemies.map((enemy) => ({ name: enemy.name, at: toPixels(enemy.agent.pose) }));
    nav?.free();
    nav = new Navigator(bytes);
    enemies = [];
    if (!nav.agentNames.includes(agent)) agent = nav.agentNames[0];
    for (const { name, at } of places) if (nav.agentNames.includes(name)) addEnemy(name, at);
  }
  showMesh();
}

function showMesh() {
  const toPage = ({ kind, points }) => ({ kind, points: lineToPixels(points) });
  const links = nav.links(agent).map(toPage);
  const platforms = nav.platforms(agent).map(toPage);
  view.setMesh(baked?.collision, platforms, links);
  return `${platforms.length} platforms, ${links.length} links`;
}

function addEnemy(name = agent, at) {
  const spawns = nav.markers().filter((marker) => marker.class.toLowerCase() === "spawn");
  const first = view.platforms?.[0]?.points ?? [view.bounds[0], view.bounds[1]];
  const start = at ? toWorld(at) : (spawns[enemies.length % (spawns.length || 1)] ?? toWorld({ x: first[0], y: first[1] }));
  const enemy = nav.agent(name, start.x, start.y);
  // As near as it can get while the ball is in the air.
  enemy.setAllowPartialPath(true);
  enemies.push({ agent: enemy, name, body: nav.body(name) });
}

/** Bakes what is in `files`. */
async function open(level) {
  say("Baking…");
  try {
    const names = await baker("names", files);
    const chosen = level ?? names[0];
    const result = await baker("bake", { files, level: chosen, config: config.text() });
    const isNew = baked?.name !== result.name;
    baked = result;
    config.setAgents(result.agents);
    if (isNew) {
      enemies = [];
      view.open(result.bounds);
      Object.assign(ball, { isLed: false, radius: Math.max(result.tile[0] ?? 16, 8) / 3 });
      path = undefined;
    }
    play(result.bytes, false);
    if (enemies.length === 0) addEnemy();
    fillLists(names, chosen);
    report(result);
    // The art takes longer than the bake.
    baker("picture").then((picture) => view.setArt(picture), () => {});
  } catch (error) {
    say(error.message, true);
  }
}

function report({ milliseconds, warnings }) {
  say(`Baked in ${milliseconds.toFixed(0)} ms for ${agent}: ${showMesh()}`);
  $("notes").replaceChildren(...warnings.slice(0, 8).map((text) => element("li", text)));
  $("config").textContent = config.text() ?? config.written();
}

function element(tag, text) {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

function fillLists(names, chosen) {
  $("levels").hidden = names.length < 2;
  $("levels").replaceChildren(...names.map((name) => new Option(name, name, false, name === chosen)));
  $("agents").replaceChildren(...nav.agentNames.map((name) => new Option(name, name, false, name === agent)));
  fillSliders();
  askQuestions(chosen);
}

/** What the level leaves open, with a button for each answer. */
function askQuestions(level) {
  const questions = config.canAnswer ? (baked.undecided ?? []).slice(0, 5) : [];
  $("questions").replaceChildren(
    ...questions.map(({ text, answers }) => {
      const row = element("div", text.split("\n")[0]);
      const buttons = element("div", "");
      buttons.className = "row";
      for (const { meaning, line } of answers) {
        const button = element("button", meaning);
        button.title = line;
        button.onclick = () => {
          config.answer(line);
          open(level);
        };
        buttons.append(button);
      }
      row.append(buttons);
      return row;
    }),
  );
}

/** Takes files by name: those of a level, or a baked file's level again. */
async function take(entries) {
  const taken = {};
  for (const [name, file] of entries) taken[name] = new Uint8Array(await file.arrayBuffer());
  if (Object.keys(taken).length === 0) return;
  const names = await baker("names", taken).catch(() => []);
  // Tilesets and images of the level that is open, which were left out before.
  files = names.length > 0 && !names.every((name) => name.endsWith(".png")) ? taken : baked && !names.length ? { ...files, ...taken } : taken;
  const own = Object.keys(files).find((name) => /(^|\/)navbake\.toml$/.test(name));
  config.reset(own && new TextDecoder().decode(files[own]));
  await open();
}

async function* walk(entry, folder = "") {
  if (entry.isFile) {
    yield [folder + entry.name, await new Promise((done, fail) => entry.file(done, fail))];
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    const entries = await new Promise((done, fail) => reader.readEntries(done, fail));
    if (entries.length === 0) return;
    for (const inner of entries) yield* walk(inner, `${folder}${entry.name}/`);
  }
}

async function dropped(data) {
  // The list is empty after the first wait.
  const entries = [...data.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const plain = [...data.files].map((file) => [file.name, file]);
  if (entries.length === 0) return take(plain);
  const found = [];
  for (const entry of entries) for await (const file of walk(entry)) found.push(file);
  // A single folder is not part of the names.
  await take(found.length < 5000 ? found : plain);
}

// ---- bakes after a change -----------------------------------------------------------------

const edits = [];
let isBaking = false;
let wantsConfiguration = false;

/** Bakes what has changed. What changes meanwhile is baked next, all at once. */
async function bakeAgain() {
  if (isBaking || !baked) return;
  isBaking = true;
  try {
    while (edits.length > 0 || wantsConfiguration) {
      const isConfiguration = wantsConfiguration;
      wantsConfiguration = false;
      const done = edits.splice(0);
      let result = done.length > 0 ? await baker("edit", done) : undefined;
      if (isConfiguration) result = await baker("configure", config.text());
      Object.assign(baked, result);
      play(result.bytes, !isConfiguration);
      report(baked);
    }
  } catch (error) {
    say(error.message, true);
  }
  isBaking = false;
}

function tileAt(at) {
  const [width, height] = baked.tile.length === 2 ? baked.tile : [16, 16];
  const [left, top] = baked.bounds;
  return { x: left + Math.floor((at.x - left) / width) * width, y: top + Math.floor((at.y - top) / height) * height, width, height };
}

function editAt(at) {
  if (!baker || !baked?.tile) return;
  const edit = { ...tileAt(at), material: $("material").value || undefined };
  const last = edits.at(-1) ?? editAt.last;
  if (last && last.x === edit.x && last.y === edit.y && last.material === edit.material) return;
  editAt.last = edit;
  edits.push(edit);
  view.replace(edit);
  bakeAgain();
}

const SLIDERS = { width: "width", height: "height", jump: "jump_height", speed: "run_speed", air: "air_jumps" };

function fillSliders() {
  const values = config.values(agent);
  if (!values) return;
  for (const [id, key] of Object.entries(SLIDERS)) {
    const slider = $(id);
    const tile = Math.min(...(baked?.tile?.length === 2 ? baked.tile : [16])) / Math.abs(nav.pixelsPerUnit);
    if (id !== "air") Object.assign(slider, { min: id === "jump" ? 0 : tile / 4, max: tile * { width: 3, height: 3, jump: 8, speed: 16 }[id], step: tile / 16 });
    slider.value = values[key];
    slider.disabled = !baker || ((id === "jump" || id === "air") && values.flies);
    slider.nextElementSibling.value = +(+slider.value).toFixed(2);
    slider.oninput = () => {
      slider.nextElementSibling.value = +(+slider.value).toFixed(2);
      config.set(agent, key, +slider.value);
      wantsConfiguration = true;
      bakeAgain();
    };
  }
  $("ladder").checked = values.edges.includes("ladder");
  $("ladder").disabled = !baker;
  $("ladder").onchange = () => {
    config.set(agent, "edges", $("ladder").checked ? [...values.edges, "ladder"] : values.edges.filter((edge) => edge !== "ladder"));
    wantsConfiguration = true;
    bakeAgain();
  };
}

// ---- path ---------------------------------------------------------------------------------

/** The nearest point of a platform of the agent, or the place itself for a flier. */
function onPlatform(at) {
  let best;
  for (const { points } of view.platforms) {
    for (let i = 0; i < points.length; i += 2) {
      const [ax, ay] = [points[i], points[i + 1]];
      const [bx, by] = i + 2 < points.length ? [points[i + 2], points[i + 3]] : [ax, ay];
      const length = (bx - ax) ** 2 + (by - ay) ** 2;
      const part = length > 0 ? Math.min(1, Math.max(0, ((at.x - ax) * (bx - ax) + (at.y - ay) * (by - ay)) / length)) : 0;
      const [x, y] = [ax + part * (bx - ax), ay + part * (by - ay)];
      const away = (x - at.x) ** 2 + (y - at.y) ** 2;
      if (!best || away < best.away) best = { x, y, away };
    }
  }
  return config.values(agent)?.flies || !best ? at : best;
}

async function pathTo(at) {
  const place = onPlatform(at);
  if (!path || path.to) {
    path = { from: place, lines: [], marks: [[place, "path"]] };
    say("Click where the path ends.");
    return;
  }
  const from = path.from;
  const [a, b] = [toWorld(from), toWorld(place)];
  const probe = nav.agent(agent, a.x, a.y);
  const found = probe.findPath(b.x, b.y);
  probe.remove();
  probe.free();
  const marks = [[from, "path"], [place, "path"]];
  if (found.found) {
    path = { from, to: place, lines: found.steps.map(stepLine), marks };
    say(`${found.cost.toFixed(2)} s: ${found.steps.map((step) => step.kind).join(", ")}`);
    return;
  }
  path = { from, to: place, lines: [[from.x, from.y, place.x, place.y]], marks, isGap: true };
  say(`No path: ${found.reason}.`);
  const explanation = await baker("explain", agent, a, b).catch((error) => ({ message: error.message }));
  if (path.to !== place) return;
  if (explanation.arc) path.lines = [explanation.arc.flatMap(([x, y]) => Object.values(toPixels({ x, y })))];
  if (explanation.at) path.marks.push([toPixels({ x: explanation.at[0], y: explanation.at[1] }), "hazard"]);
  say(`No path: ${found.reason}.\n${explanation.missing?.message ?? explanation.message}`);
}

/** The line of the feet along a step. */
function stepLine({ from, to }) {
  const link = nav.links(agent).find(({ points }) => points[0] === from.x && points[1] === from.y && points.at(-2) === to.x && points.at(-1) === to.y);
  return lineToPixels(link?.points ?? [from.x, from.y, to.x, to.y]);
}

// ---- what moves ---------------------------------------------------------------------------

let before = 0;
let sinceOrders = 0;
let sinceLed = 0;

function frame(now) {
  requestAnimationFrame(frame);
  const dt = Math.min((now - before) / 1000, 0.05);
  before = now;
  if (!nav || !(dt > 0)) return;
  if (!ball.isLed) lead(dt);
  const pull = 1 - Math.exp(-12 * dt);
  ball.x += (target.x - ball.x) * pull;
  ball.y += (target.y - ball.y) * pull;
  if ((sinceOrders += dt) > 0.2) {
    sinceOrders = 0;
    const goal = toWorld({ x: ball.x, y: ball.y + ball.radius });
    for (const { agent } of enemies) {
      const place = agent.placeOfTarget(goal.x, goal.y) ?? goal;
      agent.goTo(place.x, place.y);
    }
  }
  nav.update(dt);
  const [poses, unit] = [nav.poses, Math.abs(nav.pixelsPerUnit)];
  const bodies = enemies.map(({ agent, body }) => {
    const at = agent.index * 6;
    return { x: poses[at] * unit, y: poses[at + 1] * nav.pixelsPerUnit, width: body[0] * unit, height: body[1] * unit, facing: poses[at + 4] };
  });
  if (view.follows && bodies.length > 0) view.follow(bodies[0], 1 - Math.exp(-3 * dt));
  view.draw({ bodies, ball, path: mode === "path" ? path : undefined, ghost: mode === "edit" ? ghost : undefined });
}

/** Until a pointer leads the ball, it visits one platform after another. */
function lead(dt) {
  if ((sinceLed -= dt) > 0 || !view.platforms?.length) return;
  sinceLed = 3.5;
  lead.next = ((lead.next ?? 0) + 4) % view.platforms.length;
  const { points } = view.platforms[lead.next];
  const middle = 2 * Math.floor(points.length / 4);
  target = { x: (points[0] + points.at(-2)) / 2, y: points[middle + 1] - ball.radius };
}

// ---- pointer, keyboard, buttons -----------------------------------------------------------

const canvas = $("canvas");
const pointers = new Map();

function point(event) {
  const at = view.at(event);
  ghost = baked?.tile ? tileAt(at) : undefined;
  if (mode === "chase") {
    ball.isLed = true;
    target = at;
  } else if (mode === "edit" && event.buttons & 1) {
    editAt(at);
  }
}

canvas.addEventListener("pointerdown", (event) => {
  canvas.setPointerCapture(event.pointerId);
  pointers.set(event.pointerId, event);
  if (pointers.size > 1) return;
  if (mode === "path" && event.button === 0) pathTo(view.at(event));
  point(event);
});
canvas.addEventListener("pointermove", (event) => {
  const last = pointers.get(event.pointerId);
  if (last) pointers.set(event.pointerId, event);
  if (pointers.size === 2 && last) pinch(last, event);
  else if (event.buttons & 6) view.pan(event.movementX, event.movementY);
  else point(event);
});
for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => pointers.delete(event.pointerId));
canvas.addEventListener("contextmenu", (event) => event.preventDefault());
canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  view.zoomAt(view.at(event), Math.exp(-event.deltaY / 400));
}, { passive: false });

/** Two fingers move and zoom the view. */
function pinch(last, event) {
  const other = [...pointers.values()].find(({ pointerId }) => pointerId !== event.pointerId);
  const apart = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) || 1;
  view.zoomAt(view.at(other), apart(event) / apart(last));
  view.pan((event.clientX - last.clientX) / 2, (event.clientY - last.clientY) / 2);
}

canvas.addEventListener("keydown", (event) => {
  const step = (baked?.tile?.[0] ?? 16) / (event.shiftKey ? 1 : 2);
  const [x, y] = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key] ?? [0, 0];
  if (x || y) {
    ball.isLed = true;
    target = { x: target.x + x, y: target.y + y };
    ghost = baked?.tile ? tileAt(target) : undefined;
  } else if (event.key === "Enter" || event.key === " ") {
    if (mode === "path") pathTo(target);
    if (mode === "edit") editAt(target);
  } else if (event.key === "+" || event.key === "-") {
    view.zoomAt(target, event.key === "+" ? 1.25 : 0.8);
  } else return;
  event.preventDefault();
});

for (const radio of document.getElementsByName("mode")) {
  radio.onchange = () => {
    mode = radio.value;
    $("material").hidden = mode !== "edit";
    path = undefined;
    say({ chase: "The ball follows the pointer.", path: "Click where the path begins.", edit: "Click or drag over tiles. The level is baked again." }[mode]);
  };
}
for (const [id, what] of [["showArt", "art"], ["showCollision", "collision"], ["showLinks", "links"]]) {
  $(id).onchange = () => {
    view.shows[what] = $(id).checked;
    view.isStale = true;
  };
}
$("agents").onchange = () => {
  agent = $("agents").value;
  path = undefined;
  fillSliders();
  report(baked);
  // The last enemy is of the kind that is shown.
  const last = enemies.pop();
  const at = last && toPixels(last.agent.pose);
  last?.agent.remove();
  addEnemy(agent, at);
};
$("levels").onchange = () => open($("levels").value);
$("add").onclick = () => addEnemy();
$("clear").onclick = () => {
  for (const { agent } of enemies.splice(1)) agent.remove();
};
$("files").onchange = () => take([...$("files").files].map((file) => [file.webkitRelativePath || file.name, file]));
const save = (name, content) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content]));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
};
$("saveMesh").onclick = () => save(baked.name.replace(/^.*\//, "").replace(/\.[^.]*$/, ".navmesh"), baked.bytes);
$("saveConfig").onclick = () => save("navbake.toml", config.text() ?? config.written());
addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("drop");
});
addEventListener("dragleave", (event) => event.relatedTarget ?? document.body.classList.remove("drop"));
addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("drop");
  dropped(event.dataTransfer);
});

// ---- start --------------------------------------------------------------------------------

const example = JSON.parse(part("example"));
await startRuntime({ module_or_path: await unpack("runtime") });
files = Object.fromEntries(Object.entries(example.files).map(([name, text]) => [name, Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))]));
baked = { ...example.baked, bytes: Uint8Array.from(atob(example.baked.bytes), (letter) => letter.charCodeAt(0)) };
config.setAgents(baked.agents);
view.open(baked.bounds);
play(baked.bytes, false);
addEnemy();
fillLists([baked.name], baked.name);
say(`${baked.name}, for ${agent}: ${showMesh()}`);
requestAnimationFrame(frame);
baker = await connect(await unpack("baker"));
await open(baked.name);
globalThis.page = { get enemies() { return enemies; }, get baked() { return baked; }, get nav() { return nav; }, ball, take, agentText };
