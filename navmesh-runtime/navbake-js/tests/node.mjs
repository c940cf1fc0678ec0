// Tests in Node. Usage: node tests/node.mjs NAVBAKE, the command, whose bytes must be the same.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { activities, load } from "../index.js";
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
  for (const test of [sameBytes, chase, doorsAndRemovedGround, drive, refusals]) {
    await test();
    console.log(`ok: ${test.name}`);
  }
} finally {
  rmSync(out, { recursive: true });
}
