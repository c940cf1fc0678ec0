// The page: bakes a level, lets enemies chase a ball in it, and answers questions about it.
// What is drawn of the mesh, and the view of it, are those of `navbake view`: NavApp.
import start, { Brains, Navigator, pageData, Tree } from "page/navbake.js";
import { connect } from "page/service.js";
import { agentText, Configuration } from "page/config.js";
import { Player } from "page/player.js";
import { Overlay } from "page/overlay.js";

const $ = (id) => document.getElementById(id);
const overlay = new Overlay($("live"));
const config = new Configuration();

/** The baker's calls, once it is there. */
let baker;
let nav;
/** What was baked: its bytes, its agents with their values, its collision. */
let baked;
let files = {};
let enemies = [];
let mode = "chase";
/** In level pixels, as everything here but what the runtime has. */
const ball = { x: 0, y: 0, radius: 5, isLed: false };
let target = { x: 0, y: 0 };
let path;
let ghost;
/** The enemy whose path is drawn. */
let thinker;
/** The moves of the agent that is shown, once they are needed. */
let links;
/** The jump that the sliders make, for a moment after a change. */
let arc;
let player;
/** The trees of guards. */
let brains;
let guard;

/** The name of the agent that is shown. */
const agentName = () => NavApp.agent().name;
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
    const places = enemies.map((enemy) => ({ ...enemy, at: toPixels(enemy.agent.pose) }));
    brains?.free();
    nav?.free();
    nav = new Navigator(bytes);
    brains = new Brains(nav);
    enemies = [];
    thinker = undefined;
    for (const { name, at, isGuard } of places) if (nav.agentNames.includes(name)) addEnemy(name, at, isGuard);
  }
  player?.setLevel(baked.collision, baked.bounds);
  showMesh();
}

function showMesh() {
  links = undefined;
  const data = JSON.parse(baked.data);
  NavApp.load({ ...data, files: [overlay.withLevel(data.files[0], baked, nav.pixelsPerUnit)] });
}

const counted = () => `${NavApp.agent().platforms.length} platforms, ${NavApp.agent().links.length} links`;

/** The lines of the platforms of the agent, in level pixels. */
const platforms = () => nav.platforms(agentName()).map(({ points }) => lineToPixels(points));

/** Walks to and fro on its platform until the ball is near. */
function guardTree() {
  const tile = tileInUnits();
  const chase = [
    { task: { task: "target_within", params: { distance: 9 * tile } } },
    { task: { task: "pursue", params: { range: 1.5 * tile, floor: true } } },
  ];
  const patrol = { task: { task: "patrol", params: { look: true } } };
  const root = { reactive_selector: { children: [{ sequence: { children: chase } }, patrol] } };
  return new Tree(JSON.stringify({ root }), {});
}

function addEnemy(name = agentName(), at, isGuard = false) {
  const spawns = nav.markers().filter((marker) => marker.class.toLowerCase() === "spawn");
  const [x, y] = nav.platforms(name)[0]?.points ?? Object.values(toWorld({ x: baked.bounds[0], y: baked.bounds[1] }));
  const start = at ? toWorld(at) : (spawns[enemies.length % (spawns.length || 1)] ?? { x, y });
  const enemy = nav.agent(name, start.x, start.y);
  // As near as it can get while the ball is in the air.
  enemy.setAllowPartialPath(true);
  enemies.push({ agent: enemy, name, body: nav.body(name), isGuard });
  if (isGuard) brains.add(enemy, (guard ??= guardTree()), undefined);
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
      overlay.art = undefined;
      player = guard = undefined;
      Object.assign(ball, { isLed: false, radius: Math.max(result.tile[0] ?? 16, 8) / 3 });
      path = undefined;
    }
    play(result.bytes, false);
    if (isNew) {
      overlay.open(result.bounds);
      NavApp.show("collision", true);
    }
    if (enemies.length === 0) addEnemy();
    fillLists(names, chosen);
    report(result);
    // The art takes longer than the bake.
    baker("picture").then(setArt, () => {});
  } catch (error) {
    say(error.message, true);
  }
}

/** Draws the level's picture beneath the mesh. Without one, its collision is drawn. */
function setArt(picture) {
  const isNew = !overlay.art;
  overlay.setArt(picture);
  showMesh();
  if (isNew) NavApp.show("collision", !overlay.art.image);
}

function report({ milliseconds, warnings }) {
  say(`Baked in ${milliseconds.toFixed(0)} ms for ${agentName()}: ${counted()}`);
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
  overlay.replace(edit);
  bakeAgain();
}

const SLIDERS = { width: "width", height: "height", jump: "jump_height", time: "jump_time", speed: "run_speed", control: "air_factor", air: "air_jumps" };
/** How far sliders go, in tiles. Those that are not here have numbers of their own. */
const MOST_TILES = { width: 3, height: 3, jump: 8, speed: 16 };

/** Jumps of kinds that people know: lengths in tiles. */
const PRESETS = {
  heavy: { run_speed: 6, jump_height: 2.2, jump_time: 0.27, air_factor: 3, air_jumps: 0 },
  floaty: { run_speed: 7, jump_height: 4, jump_time: 0.65, air_factor: 6, air_jumps: 0 },
  double: { run_speed: 8, jump_height: 2.5, jump_time: 0.36, air_factor: 12, air_jumps: 1 },
};

const tileInUnits = () => Math.min(...(baked?.tile?.length === 2 ? baked.tile : [16])) / Math.abs(nav.pixelsPerUnit);

function changeAgent(values) {
  for (const [key, value] of Object.entries(values)) config.set(agentName(), key, value);
  wantsConfiguration = true;
  showArc();
  bakeAgain();
}

/** The jump of the first enemy, from where it is. */
function showArc() {
  const { run_speed, jump_height, jump_time, flies } = config.values(agentName());
  const { x, y } = enemies[0]?.agent.pose ?? {};
  if (flies || x === undefined) return;
  const up = Math.sign(nav.pixelsPerUnit);
  const at = (part) => [x + run_speed * jump_time * part, y - up * jump_height * (1 - (part - 1) ** 2)];
  arc = { points: lineToPixels(Array.from({ length: 25 }, (_, i) => at(i / 12)).flat()), left: 2 };
}

function fillSliders() {
  const values = config.values(agentName());
  if (!values) return;
  for (const [id, key] of Object.entries(SLIDERS)) {
    const slider = $(id);
    const tile = tileInUnits();
    if (id in MOST_TILES) Object.assign(slider, { min: id === "jump" ? 0 : tile / 4, max: tile * MOST_TILES[id], step: tile / 16 });
    slider.value = values[key] ?? 8;
    slider.disabled = !baker || (values.flies && !["width", "height", "speed"].includes(id));
    slider.nextElementSibling.value = +(+slider.value).toFixed(2);
    slider.oninput = () => {
      slider.nextElementSibling.value = +(+slider.value).toFixed(2);
      changeAgent({ [key]: +slider.value });
    };
  }
  $("preset").disabled = !baker || values.flies;
  $("ladder").checked = values.edges.includes("ladder");
  $("ladder").disabled = !baker;
  $("ladder").onchange = () => {
    changeAgent({ edges: $("ladder").checked ? [...values.edges, "ladder"] : values.edges.filter((edge) => edge !== "ladder") });
  };
}

$("preset").onchange = () => {
  const preset = PRESETS[$("preset").value];
  if (!preset) return;
  const tile = tileInUnits();
  changeAgent({ ...preset, run_speed: preset.run_speed * tile, jump_height: preset.jump_height * tile });
  fillSliders();
  $("preset").value = "";
};

// ---- path ---------------------------------------------------------------------------------

async function pathTo(at) {
  const to = toWorld(at);
  const start = path && !path.to ? toWorld(path.from) : to;
  const probe = nav.agent(agentName(), start.x, start.y);
  const place = toPixels(probe.placeOfTarget(to.x, to.y) ?? to);
  const [a, b] = [start, toWorld(place)];
  const found = probe.findPath(b.x, b.y);
  probe.remove();
  probe.free();
  if (!path || path.to) {
    path = { from: place, lines: [], marks: [[place, "path"]] };
    say("Click where the path ends.");
    return;
  }
  const from = path.from;
  const marks = [[from, "path"], [place, "path"]];
  if (found.found) {
    path = { from, to: place, lines: found.steps.map(stepLine), marks };
    say(`${found.cost.toFixed(2)} s: ${found.steps.map((step) => step.kind).join(", ")}`);
    return;
  }
  path = { from, to: place, lines: [[from.x, from.y, place.x, place.y]], marks, isGap: true };
  say(`No path: ${found.reason}.`);
  const explanation = await baker("explain", agentName(), a, b).catch((error) => ({ message: error.message }));
  if (path.to !== place) return;
  if (explanation.arc) path.lines = [explanation.arc.flatMap(([x, y]) => Object.values(toPixels({ x, y })))];
  if (explanation.at) path.marks.push([toPixels({ x: explanation.at[0], y: explanation.at[1] }), "hazard"]);
  say(`No path: ${found.reason}.\n${explanation.missing?.message ?? explanation.message}`);
}

/** The line of the feet along a step. */
function stepLine({ from, to }) {
  links ??= nav.links(agentName());
  const link = links.find(({ points }) => points[0] === from.x && points[1] === from.y && points.at(-2) === to.x && points.at(-1) === to.y);
  return lineToPixels(link?.points ?? [from.x, from.y, to.x, to.y]);
}

// ---- what moves ---------------------------------------------------------------------------

let before = 0;
let sinceOrders = 0;
let sinceLed = 0;

function frame(now) {
  requestAnimationFrame(frame);
  const dt = Math.min((now - before) / 1000, 0.05) * ($("slow").checked ? 0.25 : 1);
  before = now;
  if (!nav || !(dt > 0)) return;
  if (mode === "play") movePlayer(dt);
  if (!ball.isLed) lead(dt);
  const pull = 1 - Math.exp(-12 * dt);
  ball.x += (target.x - ball.x) * pull;
  ball.y += (target.y - ball.y) * pull;
  const isPlaying = mode === "play" && player;
  if ((sinceOrders += dt) > 0.2) {
    sinceOrders = 0;
    const goal = toWorld(isPlaying ? player : { x: ball.x, y: ball.y + ball.radius });
    for (const { agent, isGuard } of enemies) {
      if (isGuard) {
        brains.setTarget(agent, goal.x, goal.y);
        continue;
      }
      const place = agent.placeOfTarget(goal.x, goal.y) ?? goal;
      agent.goTo(place.x, place.y);
    }
  }
  nav.update(dt);
  brains.tick(dt);
  if (arc && (arc.left -= dt) < 0) arc = undefined;
  const [poses, unit] = [nav.poses, Math.abs(nav.pixelsPerUnit)];
  const bodies = enemies.map(({ agent, body, isGuard }) => {
    const at = agent.index * 6;
    const thought = isGuard ? brains.running(agent)[0]?.split("/").at(-1) : undefined;
    return { thought, x: poses[at] * unit, y: poses[at + 1] * nav.pixelsPerUnit, width: body[0] * unit, height: body[1] * unit, facing: poses[at + 4] };
  });
  if (isPlaying) bodies.push({ ...player, colour: "ball" });
  if (bodies.length > 0) overlay.follow(isPlaying || bodies[0], 1 - Math.exp(-3 * dt));
  const thoughts = thinker?.agent.remainingPath().map(stepLine);
  overlay.draw({
    bodies, ball: isPlaying ? undefined : ball, arc: arc?.points, ghost: mode === "edit" ? ghost : undefined,
    path: mode === "path" ? path : thoughts && { lines: thoughts, marks: [] },
  });
}

const keys = { left: false, right: false, up: false, down: false };

/** Moves the player, with the body and the jump of the agent. */
function movePlayer(dt) {
  const values = config.values(agentName()).flies ? [...config.agents.values()].find(({ flies }) => !flies) : config.values(agentName());
  if (!player || !values) return;
  const unit = Math.abs(nav.pixelsPerUnit);
  const gravity = ((2 * values.jump_height) / values.jump_time ** 2) * unit || values.gravity * unit;
  const speed = values.run_speed * unit;
  player.update(dt, keys, {
    width: values.width * unit, height: values.height * unit, speed, gravity, jumpSpeed: gravity * values.jump_time,
    acceleration: 12 * speed, airAcceleration: (values.air_factor ?? 8) * speed, airJumps: values.air_jumps,
  });
}

function startPlayer() {
  const first = enemies[0] ? toPixels(enemies[0].agent.pose) : { x: 0, y: 0 };
  // On another platform than the enemy.
  const away = (points) => Math.abs(points[0] - first.x);
  const points = platforms().reduce((a, b) => (away(a) >= away(b) ? a : b));
  player = new Player((points[0] + points.at(-2)) / 2, Math.min(points[1], points.at(-1)));
  player.setLevel(baked.collision, baked.bounds);
}

/** Until a pointer leads the ball, it visits one platform after another. */
function lead(dt) {
  if ((sinceLed -= dt) > 0) return;
  sinceLed = 3.5;
  const lines = platforms();
  if (lines.length === 0) return;
  lead.next = ((lead.next ?? 0) + 4) % lines.length;
  const points = lines[lead.next];
  const middle = 2 * Math.floor(points.length / 4);
  target = { x: (points[0] + points.at(-2)) / 2, y: points[middle + 1] - ball.radius };
}

// ---- pointer, keyboard, buttons -----------------------------------------------------------

const canvas = $("canvas");

/** An event of a pointer on the level. Returns whether it means more than a look at it. */
NavApp.onPointer = (event) => {
  const [x, y] = NavApp.at(event);
  const at = toPixels({ x, y });
  const isFirst = event.type === "pointerdown";
  ghost = baked.tile ? tileAt(at) : undefined;
  if (event.buttons & 4) return false;
  if (mode === "chase") {
    ball.isLed = true;
    target = at;
    if (isFirst) thinker = enemies.find(({ agent, body }) => Math.hypot(agent.pose.x - x, agent.pose.y - y) < 1.5 * body[1]);
    return event.pointerType === "touch";
  }
  if (mode === "edit" && event.buttons & 1) editAt(at);
  if (mode === "path" && isFirst) pathTo(at);
  if (mode === "play" && player) {
    // Without keys, the player goes to the finger, and jumps if it is higher.
    const isDown = event.buttons !== 0;
    const { width, height } = player;
    Object.assign(keys, {
      left: isDown && at.x < player.x - width / 2, right: isDown && at.x > player.x + width / 2,
      up: isDown && at.y < player.y - 1.5 * height, down: isDown && at.y > player.y + height,
    });
  }
  return mode !== "path" || event.type === "pointerup";
};

const KEYS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", " ": "up", ArrowDown: "down", a: "left", d: "right", w: "up", s: "down" };
canvas.addEventListener("keyup", ({ key }) => KEYS[key] && (keys[KEYS[key]] = false));
canvas.addEventListener("blur", () => Object.assign(keys, { left: false, right: false, up: false, down: false }));

NavApp.onKey = (event) => {
  if (mode === "play" && KEYS[event.key]) {
    keys[KEYS[event.key]] = true;
    return true;
  }
  const step = (baked.tile?.[0] ?? 16) / (event.shiftKey ? 1 : 2);
  const [x, y] = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key] ?? [0, 0];
  if (x || y) {
    ball.isLed = true;
    target = { x: target.x + x, y: target.y + y };
    ghost = baked.tile ? tileAt(target) : undefined;
  } else if (event.key === "Enter" || event.key === " ") {
    if (mode === "path") pathTo(target);
    if (mode === "edit") editAt(target);
  } else return false;
  return true;
};

for (const radio of document.getElementsByName("mode")) {
  radio.onchange = () => {
    mode = radio.value;
    $("material").hidden = mode !== "edit";
    path = undefined;
    player = undefined;
    if (mode === "play") {
      startPlayer();
      canvas.focus();
    }
    say({ play: "The arrow keys or A, D, W and S move the player, or a finger on the level.", chase: "The ball follows the pointer.", path: "Click where the path begins.", edit: "Click or drag over tiles. The level is baked again." }[mode]);
  };
}
NavApp.onAgent = () => {
  path = links = undefined;
  if (!nav || enemies.at(-1)?.name === agentName()) return;
  fillSliders();
  say(`For ${agentName()}: ${counted()}`);
  // The last enemy is of the kind that is shown.
  const last = enemies.pop();
  const at = last && toPixels(last.agent.pose);
  last?.agent.remove();
  if (last) addEnemy(agentName(), at);
};
$("levels").onchange = () => open($("levels").value);
$("add").onclick = () => addEnemy();
$("addGuard").onclick = () => addEnemy(agentName(), undefined, true);
$("one").onclick = () => {
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
$("savePicture").onclick = () => {
  const picture = new OffscreenCanvas(canvas.width, canvas.height);
  for (const layer of [canvas, $("live")]) picture.getContext("2d").drawImage(layer, 0, 0);
  picture.convertToBlob().then((blob) => save("level.png", blob));
};
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

canvas.ariaLabel = "The level. Arrow keys move the ball, Enter clicks where it is.";
document.querySelector("aside > details p").textContent = `Drag to pan, wheel or two fingers to zoom; click a platform to see its links, or an
  enemy to see its path. With the picture in focus: arrows move the ball or the player, Enter clicks there, + and − zoom, 0 shows all, a is the
  next agent; the underlined letters switch layers.`;
$("preset").before($("agent").parentElement);
const example = JSON.parse(part("example"));
const module = await WebAssembly.compile(await unpack("module"));
await start({ module_or_path: module });
files = Object.fromEntries(Object.entries(example.files).map(([name, text]) => [name, Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))]));
const exampleFiles = files;
baked = { ...example.baked, bytes: Uint8Array.from(atob(example.baked.bytes), (letter) => letter.charCodeAt(0)) };
baked.data = pageData(baked.name, baked.bytes);
config.setAgents(baked.agents);
for (const layer of ["terrain", "vertices", "fly", "markers"]) NavApp.show(layer, false);
play(baked.bytes, false);
NavApp.setAgent(Math.max(nav.agentNames.indexOf(NavApp.asked.get("agent")), 0));
overlay.open(baked.bounds);
addEnemy();
fillLists([baked.name], baked.name);
say(`${baked.name}, for ${agentName()}: ${counted()}`);
requestAnimationFrame(frame);
if (NavApp.asked.has("config")) config.reset(NavApp.asked.get("config"));
// The address restores the settings of the example.
NavApp.address = () => (files === exampleFiles && config.text() ? `&config=${encodeURIComponent(config.text())}` : "");
const showProgress = (agent, stage, part) => say(`Baking for ${agent}: ${stage}, ${(100 * part).toFixed(0)} %`);
baker = await connect(module, showProgress);
await open(baked.name);
globalThis.page = { get enemies() { return enemies; }, get baked() { return baked; }, get nav() { return nav; }, get player() { return player; }, ball, take, agentText };
