// Tests in Node. Usage: node tests/node.mjs NAVBAKE, the command, whose bytes must be the same.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { activities, load } from "../index.js";
import { Brains, Tree, load as loadWithTrees } from "../behavior.js";
import { bake, init, levelNames } from "../baker.js";

const fixtures = new URL("../../../fixtures/", import.meta.url).pathname;
const command = process.argv[2];
const out = mkdtempSync(join(tmpdir(), "navbake-js-"));

/** All files of the fixtures, by the names that they have from there. */
function filesIn(folder, before = "") {
  const found = {};
  for (const entry of readdirSync(join(folder, before), { withFileTypes: true })) {
    const name = before + entry.name;
    if (entry.isDirectory()) Object.assign(found, filesIn(folder, `${name}/`));
    else found[name] = new Uint8Array(readFileSync(join(folder, name)));
  }
  return found;
}
const files = filesIn(fixtures);
const text = (name) => new TextDecoder().decode(files[name]);
await init();

/** The bytes of the command are those of the package. */
async function sameBytes() {
  const levels = Object.keys(files).filter((name) => /\.(tmx|tmj|png)$/.test(name) && name !== "tiles.png");
  levels.push(...levelNames({ "mine.ldtk": files["mine.ldtk"] }));
  for (const [at, name] of levels.entries()) {
    const config = name.replace(/\.[^.]*$/, ".toml");
    const options = config in files ? ["--config", join(fixtures, config)] : [];
    const path = join(out, `${at}.navmesh`);
    execFileSync(command, ["bake", "--quiet", join(fixtures, name), "-o", path, ...options]);
    const since = performance.now();
    const level = await bake({ files, level: name, config: config in files ? text(config) : "" });
    console.log(`  ${name}: ${(performance.now() - since).toFixed(0)} ms`);
    assert.deepEqual(Buffer.from(level.bytes), readFileSync(path), name);
    level.free();
  }
  assert.ok(levels.length >= 10, `only ${levels.length} levels`);
}

async function chase() {
  const level = await bake({ files, level: "ledges.tmx" });
  const nav = await load(level.bytes);
  assert.deepEqual(nav.agentNames, ["ground", "air"]);
  const enemy = nav.agent("ground", 56, 272);
  const path = enemy.findPath(616, 160);
  assert.ok(path.found && path.cost > 5 && path.steps.some((step) => step.kind === "jump"));
  enemy.goTo(616, 160);
  const events = [];
  let frames = 0;
  for (; frames < 1000 && events.at(-1)?.type !== "arrived"; frames++) {
    if (nav.update(1 / 60) > 0) events.push(...enemy.events());
  }
  assert.deepEqual(events.at(-1), { type: "arrived", at: { x: 616, y: 160 } });
  assert.ok(Math.abs(frames / 60 - path.cost) < 0.2, `${frames} frames`);
  const [x, y, vx, vy, facing, activity] = nav.poses;
  assert.deepEqual([x, y, vx, vy, Math.abs(facing), activities()[activity]], [616, 160, 0, 0, 1, "idle"]);
  assert.equal(nav.poses, nav.poses, "no array is made for each frame");
  // The memory grows: the array is another one, and right.
  for (let i = 0; i < 3000; i++) nav.agent("ground", 56, 272);
  nav.update(1 / 60);
  assert.deepEqual([...nav.poses.slice(0, 2)], [616, 160]);
  enemy.remove();
  assert.ok(Number.isNaN(nav.poses[0]));
  assert.equal(nav.agent("air", 100, 100).index, 0, "the index is used again");
  assert.throws(() => nav.agent("nobody", 0, 0), /not baked for an agent "nobody", but for ground, air/);
  assert.throws(() => nav.closeDoor("x"), /no door is named/);
  await assert.rejects(load(new Uint8Array(8)), Error);
}

async function doorsAndRemovedGround() {
  const map = `<map version="1.10" orientation="orthogonal" width="20" height="6" tilewidth="16" tileheight="16">
    <objectgroup id="1" name="collision">
      <object id="1" x="0" y="80" width="320" height="16"/>
      <object id="4" x="176" y="0" width="16" height="40"/>
    </objectgroup>
    <objectgroup id="2" name="markers">
      <object id="2" name="gate" type="door" x="176" y="40" width="16" height="40"/>
    </objectgroup></map>`;
  const level = await bake({ files: { "maps/doors.tmx": map } });
  assert.equal(level.name, "maps/doors.tmx");
  const nav = await load(level.bytes);
  const enemy = nav.agent("ground", 40, 80);
  assert.equal(nav.isDoorClosed("gate"), false);
  assert.ok(enemy.findPath(280, 80).found);
  nav.closeDoor("gate");
  assert.equal(nav.isDoorClosed("gate"), true);
  assert.match(enemy.findPath(280, 80).reason, /door/);
  nav.openDoor("gate");
  nav.remove(64, 72, 128, 32);
  assert.equal(enemy.findPath(280, 80).found, false);
  assert.equal(nav.restore(64, 72, 128, 32), true);
  assert.equal(nav.restore(64, 72, 128, 32), false);
  assert.ok(enemy.findPath(280, 80).found);

  // A gap that is too wide is explained; a bridge is baked again.
  level.setTiles(48, 80, 128, 16, undefined);
  nav.setMesh(level.update());
  assert.equal(enemy.findPath(280, 80).found, false);
  const explanation = level.explain("ground", 40, 80, 280, 80);
  assert.equal(explanation.linked, false);
  assert.ok(explanation.message.length > 20);
  level.setTiles(48, 80, 128, 16, "solid");
  nav.setMesh(level.update());
  assert.ok(enemy.findPath(280, 80).found);
  assert.throws(() => level.setTiles(0, 0, 1, 1, "lava"), /is no material/);
  const bytes = level.configure('[[agent]]\nname = "rat"\nbody = [8, 8]\n');
  assert.deepEqual((await load(bytes)).agentNames, ["rat"]);
  assert.throws(() => level.configure("[[agent]]\nbodi = 1"), /navbake.toml:2/);
}

/** A body in a field of its own gravity and floor follows the commands. */
async function drive() {
  const nav = await load((await bake({ files, level: "ledges.tmx" })).bytes);
  const enemy = nav.agent("ground", 56, 272);
  enemy.goTo(150, 272);
  const body = { x: 56, y: 272, vx: 0, vy: 0, grounded: true };
  for (let i = 0; i < 300; i++) {
    const command = enemy.drive(body, 1 / 60);
    assert.equal(typeof command.exact, "boolean");
    body.vx = command.vx;
    body.x += body.vx / 60;
    nav.update(1 / 60);
  }
  assert.ok(Math.abs(body.x - 150) < 2, `${body.x}`);
}

/** An agent rides on a ferry and a lift to a place that no other way leads to. */
async function rides() {
  const nav = await load((await bake({ files, level: "moving.tmx", config: text("moving.toml") })).bytes);
  const ferry = (seconds) => nav.movingPlatforms(seconds).find(({ name }) => name === "ferry");
  const { x, y, width, height } = ferry(0);
  assert.deepEqual([nav.movingPlatforms(0).length, y, width, height], [2, 176, 32, 8]);
  // It moves by 48 units/s, between pauses of 1 s.
  const places = Array.from({ length: 61 }, (_, i) => ferry(i / 10).x);
  assert.ok(places.every((place) => place > 127.99 && place < 224.01) && new Set(places).size > 20, `${x}: ${places}`);
  const agent = nav.agent("runner", 40, 176);
  assert.equal(agent.findPath(560, 64).found, false, "without a clock, no agent rides");
  const activitiesSeen = new Set();
  for (let i = 0; i < 60 * 60; i++) {
    nav.setClock(i / 60);
    if (i === 0) agent.goTo(560, 64);
    nav.update(1 / 60);
    const { activity } = agent.pose;
    assert.equal(activities()[nav.poses[5]], activity);
    activitiesSeen.add(activity);
    if (agent.events().some(({ type }) => type === "arrived")) break;
  }
  assert.ok(activitiesSeen.has("riding"), [...activitiesSeen].join());
  assert.deepEqual([agent.pose.x, agent.pose.y], [560, 64]);
}

const digests = (folder) => Object.entries(filesIn(folder)).map(([name, bytes]) => `${name} ${createHash("sha256").update(bytes).digest("hex")}`);

/** The command in Node and the program say, write and return the same. */
function sameCommand() {
  const script = new URL("../bin/navbake.js", import.meta.url).pathname;
  const folders = ["program", "node"].map((name) => join(out, name));
  const trip = ["--agent", "ground", "--from", "56,272", "--to", "616,160"];
  const times = [0, 0];
  for (const args of [
    ["bake", "ledges.tmx"], ["bake", "--check", "ledges.tmx"], ["bake", "."], ["bake", "gone.tmx"], ["bake", "--thread"],
    ["path", "ledges.tmx", ...trip], ["path", "ledges.navmesh", "--json", ...trip], ["path", "ledges.navmesh", "--agent", "cat", "--from", "0,0", "--to", "1,1"],
    ["explain", "ledges.tmx", ...trip], ["lint", "ledges.tmx"], ["inspect", "ledges.navmesh"], ["dump", "ledges.navmesh"],
    ["simulate", "ledges.navmesh", ...trip], ["render", "ledges.navmesh"], ["render", "--agent", "air", "ledges.navmesh"], ["view", "ledges.navmesh"],
    ["init", "mine.ldtk"], ["init", "mine.ldtk"], ["init", "--tiled-types"], ["bake", "--config", "navbake.toml", "ledges.tmx"],
    ["diff", "ledges.tmx", "sub/old.navmesh"], ["bake", "sub/../mine.ldtk", "-o", "sub"], ["level", "ledges.tmx"], ["schema"], ["--version"], ["--help"], [],
  ]) {
    const results = folders.map((folder, i) => {
      if (!existsSync(folder)) {
        mkdirSync(join(folder, "sub"), { recursive: true });
        for (const name of ["ledges.tmx", "tiles.tsx", "tiles.png", "mine.ldtk"]) copyFileSync(join(fixtures, name), join(folder, name));
      }
      if (args[0] === "diff") copyFileSync(join(folder, "ledges.navmesh"), join(folder, "sub/old.navmesh"));
      const since = performance.now();
      const { status, stdout, stderr } = spawnSync(...(i ? [process.execPath, [script, ...args]] : [command, args]), { cwd: folder, encoding: "buffer" });
      times[i] += performance.now() - since;
      // Times differ, and how wide their columns are.
      const text = stderr.toString().replace(/ +\d+\.\d\d( s)?$/gm, "");
      return { args, status, text, stdout: stdout.toString(), files: digests(folder) };
    });
    assert.deepEqual(results[1], results[0]);
  }
  console.log(`  all of it: ${times.map((time) => time.toFixed(0)).join(" ms by the program, ")} ms in Node`);
}

async function trees() {
  const level = await bake({ files, level: "ledges.tmx" });
  const nav = await loadWithTrees(level.bytes);
  const calls = [];
  const tree = new Tree(
    `{ "root": { "repeat": { "child": { "with_token": { "pool": "melee", "wait": 99, "child": { "sequence": { "children": [
      { "task": { "task": "pursue", "params": { "range": 40, "floor": true } } },
      { "task": { "task": "bite", "params": { "power": 3 } } },
      { "task": { "task": "cue", "params": { "cue": "roar" } } } ] } } } } } } }`,
    {
      bite(me, { power }, step, seconds) {
        // A task may use the agent, although it is being ticked.
        calls.push([me.name, "bite", power, step]);
        me.agent.setAllowPartialPath(true);
        assert.ok((seconds > 0 || step === "cancel") && me.agent.pose.x > 0 && nav.agentNames.length === 2);
        return step === "begin" ? "running" : undefined;
      },
      roar: (me, params, step) => calls.push([me.name, "roar", params, step]) && true,
    },
  );
  const brains = new Brains(nav);
  const [a, b] = [60, 90].map((x, i) => ({ name: "ab"[i], agent: nav.agent("ground", x, 272) }));
  assert.throws(() => brains.add(a.agent, tree, a), /melee/);
  brains.setTokens("melee", 1);
  for (const one of [a, b]) {
    brains.add(one.agent, tree, one);
    brains.setTarget(one.agent, 200, 272);
  }
  for (let frame = 0; frame < 400 && calls.length < 3; frame++) {
    nav.update(1 / 60);
    brains.tick(1 / 60);
    assert.equal(brains.tokensHeld("melee") <= 1, true);
  }
  assert.deepEqual(calls, [["a", "bite", 3, "begin"], ["a", "bite", 3, "continue"], ["a", "roar", undefined, "begin"]]);
  // The other gets the token when the first ends.
  calls.length = 0;
  brains.delete(a.agent);
  b.agent.teleport(180, 272);
  for (let frame = 0; frame < 60 && calls.length === 0; frame++) {
    nav.update(1 / 60);
    brains.tick(1 / 60);
  }
  assert.deepEqual(calls, [["b", "bite", 3, "begin"]]);
  assert.match(brains.running(b.agent)[0], /bite$/);
  brains.delete(b.agent);
  assert.deepEqual(calls.at(-1), ["b", "bite", 3, "cancel"]);
  assert.equal(brains.tokensHeld("melee"), 0);
  // The index of an agent that was removed is used again, without its tree.
  brains.add(b.agent, tree, b);
  b.agent.remove();
  const other = nav.agent("ground", 56, 272);
  assert.equal(other.index, b.agent.index);
  brains.tick(1 / 60);
  assert.deepEqual(brains.running(other), []);
  b.agent.goTo(200, 272);
  assert.equal(other.destination, undefined, "a removed agent moves no other");
  // Mistakes.
  assert.throws(() => new Tree('{"root": {"task": {"task": "bits"}}}', { bite() {} }), /bits.*bite/);
  assert.throws(() => new Tree('{"root": {"task": {"task": "bite"}}}', { bite: 1 }), /"bite" is no function/);
  const faulty = new Tree('{"root": {"task": {"task": "bite"}}}', { bite() { throw new Error("no teeth"); } });
  brains.add(other, faulty, undefined);
  assert.throws(() => brains.tick(1 / 60), /no teeth/);
  brains.add(other, new Tree('{"root": {"task": {"task": "bite"}}}', { bite: () => "maybe" }), undefined);
  assert.throws(() => brains.tick(1 / 60), /"maybe" is no result of a task/);
}

async function progress() {
  const calls = [];
  const level = await bake({ files, level: "ledges.tmx", progress: (agent, stage, part) => calls.push([agent, stage, part]) });
  assert.deepEqual([...new Set(calls.map(([agent]) => agent))], ["ground", "air"]);
  assert.deepEqual([...new Set(calls.map(([, stage]) => stage))].slice(0, 3), ["terrain", "platforms", "links"]);
  assert.ok(calls.every(([, , part]) => part >= 0 && part <= 1) && calls.length < 400, `${calls.length} calls`);
  const links = calls.filter(([agent, stage]) => agent === "ground" && stage === "links").map(([, , part]) => part);
  assert.ok(links[0] === 0 && links.at(-1) === 1 && links.every((part, i) => i === 0 || part > links[i - 1]), `${links}`);
  const silent = await bake({ files, level: "ledges.tmx", progress: () => { throw new Error("ignored"); } });
  assert.deepEqual(silent.bytes, level.bytes);
}

async function refusals() {
  await assert.rejects(bake({ files: {} }), /no level is among the files/);
  await assert.rejects(bake({ files: { "a.tmx": "<map" } }), /^Error: a\.tmx/);
  await assert.rejects(bake({ files: { "a.tmx": "", "b.tmx": "" } }), /several levels.*a\.tmx, b\.tmx/);
  await assert.rejects(bake({ files, level: "gone.tmx" }), /gone\.tmx: cannot be read: there is no such file/);
  await assert.rejects(bake({ files, level: "ledges.tmx", config: "[level]\nspacing = 0" }), /navbake\.toml:2/);
  // Files that were dropped have lost their folders.
  const flat = { "maps/ledges.tmx": files["ledges.tmx"], "art/tiles.tsx": files["tiles.tsx"], "tiles.png": files["tiles.png"] };
  const level = await bake({ files: flat });
  const picture = level.picture();
  assert.equal(picture.rgba.length, picture.width * picture.height * 4);
  assert.ok(picture.rgba.some((value) => value > 0));
  assert.ok(level.collision.length > 3 && level.collision.every(({ points }) => points.length >= 4));
  assert.deepEqual([...level.bounds], [0, 0, 640, 320]);
  assert.equal(JSON.parse(level.agents)[0].name, "ground");
}

try {
  for (const test of [sameCommand, sameBytes, chase, doorsAndRemovedGround, drive, rides, trees, progress, refusals]) {
    await test();
    console.log(`ok: ${test.name}`);
  }
} finally {
  rmSync(out, { recursive: true });
}
