// Tests of the page in a browser.
// Usage: node tests/browser.mjs PAGE.html CHROMIUM PLAYWRIGHT SCREENSHOTS NAVBAKE [GUIDE]
// PLAYWRIGHT is the folder of `playwright-core`; NAVBAKE the command; GUIDE a folder with the page of
// the README and the package that it uses. AXE, PHASER and KAPLAY, if they are set, are
// the folders of `axe-core`, `phaser` and `kaplay`.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";

const [page, executablePath, playwright, pictures, command, guide] = process.argv.slice(2);
const { chromium } = await import(pathToFileURL(join(playwright, "index.mjs")));
const fixtures = new URL("../../../fixtures/", import.meta.url).pathname;
const fixture = (...names) => names.map((name) => join(fixtures, name));
mkdirSync(pictures, { recursive: true });

const TYPES = { html: "text/html", js: "text/javascript", mjs: "text/javascript", wasm: "application/wasm", tmj: "application/json", png: "image/png" };
const folders = {
  "/guide/": guide && `${guide}/`,
  "/phaser/node_modules/phaser/": `${process.env.PHASER}/`,
  "/kaplay/node_modules/kaplay/": `${process.env.KAPLAY}/`,
  "/phaser/node_modules/navbake/": new URL("../", import.meta.url).pathname,
  "/kaplay/node_modules/navbake/": new URL("../", import.meta.url).pathname,
  "/phaser/": new URL("../examples/phaser/", import.meta.url).pathname,
  "/kaplay/": new URL("../examples/kaplay/", import.meta.url).pathname,
};
const server = createServer(({ url }, answer) => {
  const start = Object.keys(folders).find((start) => url.startsWith(start));
  const file = start ? folders[start] + url.slice(start.length) : page;
  try {
    answer.setHeader("content-type", TYPES[file.split(".").at(-1)] ?? "text/plain");
    answer.end(readFileSync(file));
  } catch {
    answer.writeHead(404).end();
  }
}).listen(0);
const address = `http://localhost:${server.address().port}/`;
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });

/** Opens the page, and waits until it has baked. */
async function open(options = {}, from = address) {
  const tab = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...options });
  tab.faults = [];
  tab.on("pageerror", (error) => tab.faults.push(error.message));
  tab.on("console", (message) => message.type() === "error" && tab.faults.push(message.text()));
  await tab.goto(from);
  await status(tab, /^Baked in/);
  return tab;
}
async function status(tab, pattern) {
  const text = () => tab.locator("#status").textContent();
  for (let i = 0; i < 600; i++) {
    if (pattern.test(await text())) return text();
    await tab.waitForTimeout(50);
  }
  assert.fail(`${await text()} is not ${pattern}; ${tab.faults}`);
}
async function close(tab) {
  assert.deepEqual(tab.faults, []);
  await tab.close();
}
/** A place of the level on the screen. */
const place = (tab, x, y) =>
  tab.evaluate((at) => {
    const box = document.getElementById("canvas").getBoundingClientRect();
    const [x, y] = NavApp.toScreen(at);
    return [box.left + x, box.top + y];
  }, [x, y]);
const enemy = (tab) => tab.evaluate(() => globalThis.page.enemies[0].agent.pose);
async function arrives(tab, x, y) {
  for (let i = 0; i < 400; i++) {
    const pose = await enemy(tab);
    if (Math.hypot(pose.x - x, pose.y - y) < 24) return;
    await tab.waitForTimeout(50);
  }
  assert.fail(`the enemy is at ${JSON.stringify(await enemy(tab))}, not at ${x}, ${y}; ball ${JSON.stringify(await tab.evaluate(() => globalThis.page.ball))}`);
}

const SIZES = {
  wide: { viewport: { width: 1280, height: 800 } },
  tablet: { viewport: { width: 768, height: 1024 }, colorScheme: "dark" },
  phone: { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true, colorScheme: "dark" },
};
/** No violation that axe calls serious or critical. */
async function checkAccess(tab, name) {
  // Evaluated, because the page lets nothing be added to it.
  await tab.evaluate(readFileSync(join(process.env.AXE, "axe.min.js"), "utf8"));
  const found = await tab.evaluate(async () => (await globalThis.axe.run()).violations.map(({ id, impact, nodes }) => ({ id, impact, at: nodes.map(({ html }) => html) })));
  console.log(`  ${name}: ${found.map(({ id, impact }) => `${id} (${impact})`).join(", ") || "no violation"}`);
  assert.deepEqual(found.filter(({ impact }) => impact === "serious" || impact === "critical"), []);
}

/** An example of an engine: keys are pressed, and all enemies reach the player. `bodies` returns names and places once it runs. */
async function playExample(name, enemies, bodies) {
  const tab = await browser.newPage({ viewport: { width: 1040, height: 600 } });
  const faults = [];
  tab.on("pageerror", (error) => faults.push(error.message));
  tab.on("console", (message) => message.type() === "error" && faults.push(`${message.text()} ${message.location().url}`));
  await tab.goto(`${address}${name}/index.html`);
  const state = async () => Object.fromEntries(((await tab.evaluate(bodies)) ?? [["player"]]).map(([name, ...at]) => [name, at]));
  // Until the player stands.
  for (let i = 0; !(await state()).player[2]; i++) {
    assert.ok(i < 1000, `${name} does not start: ${faults}`);
    await tab.waitForTimeout(50);
  }
  const before = await state();
  await tab.keyboard.down("ArrowRight");
  await tab.waitForTimeout(300);
  await tab.keyboard.down("ArrowUp");
  await tab.waitForTimeout(150);
  const jump = await state();
  await tab.keyboard.up("ArrowUp");
  await tab.keyboard.up("ArrowRight");
  assert.ok(jump.player[0] > before.player[0] + 15 && jump.player[1] < before.player[1] - 5, JSON.stringify([before, jump]));
  await tab.screenshot({ path: join(pictures, `${name}.png`) });
  const missing = new Set(enemies);
  for (let i = 0; missing.size > 0; i++) {
    const now = await state();
    for (const enemy of [...missing]) if (Math.hypot(now[enemy][0] - now.player[0], now[enemy][1] - now.player[1]) < 24) missing.delete(enemy);
    assert.ok(i < 600, `${[...missing]} does not reach the player: ${JSON.stringify(now)}`);
    await tab.waitForTimeout(50);
  }
  await tab.screenshot({ path: join(pictures, `${name}-reached.png`) });
  assert.deepEqual(faults.filter((text) => !/favicon/.test(text)), []);
  await tab.close();
}

const tests = {
  async chase() {
    const tab = await open();
    const before = await enemy(tab);
    await tab.waitForTimeout(2500);
    assert.notDeepEqual(await enemy(tab), before, "it chases before anything is touched");
    await tab.mouse.move(...(await place(tab, 312, 76)));
    await arrives(tab, 312, 80);
    await tab.focus("#canvas");
    await tab.mouse.move(...(await place(tab, 72, 284)));
    for (let i = 0; i < 6; i++) await tab.keyboard.press("ArrowRight");
    await arrives(tab, 120, 288);
    // A click on an enemy shows its path.
    const isYellow = () =>
      tab.evaluate(() => {
        const { width, height } = document.getElementById("live");
        const { data } = document.getElementById("live").getContext("2d").getImageData(0, 0, width, height);
        return new Uint32Array(data.buffer).filter((pixel) => pixel === 0xff3dd6ff).length > 100;
      });
    assert.ok(!(await isYellow()));
    const { x, y } = await enemy(tab);
    await tab.mouse.click(...(await place(tab, x, y - 4)));
    await tab.mouse.move(...(await place(tab, 312, 76)));
    for (let i = 0; !(await isYellow()); i++) {
      assert.ok(i < 100, "no path is drawn");
      await tab.waitForTimeout(50);
    }
    await tab.screenshot({ path: join(pictures, "thinks.png") });
    await tab.click("#add");
    assert.equal(await tab.evaluate(() => globalThis.page.enemies.length), 2);
    await tab.click("#one");
    await close(tab);
  },

  async fromDisk() {
    const tab = await open({}, pathToFileURL(page).href);
    assert.equal(tab.workers().length, 1, "it bakes in a worker");
    await close(tab);
  },

  async levels() {
    const tab = await open();
    await tab.evaluate(() => {
      const shown = document.getElementById("status");
      globalThis.said = [];
      new MutationObserver(() => globalThis.said.push(shown.textContent)).observe(shown, { childList: true });
    });
    for (const [names, pattern] of [
      [["twins/ledges.tmj", "twins/tiles.tsj", "tiles.png"], /^Baked in .* for ground: 15 platforms/],
      [["portals.tmx", "tiles.tsx", "tiles.png"], /^Baked in .* platforms/],
      [["mine.ldtk"], /^Baked in .* platforms/],
      [["organic.png"], /^Baked in .* platforms/],
      [["movement.tmx", "tiles.tsx"], /^Baked in .* platforms/],
    ]) {
      await tab.setInputFiles("#files", fixture(...names));
      await tab.waitForFunction((name) => globalThis.page.baked.name.startsWith(name), names[0].split("/").at(-1));
      console.log(`  ${names[0]}: ${await status(tab, pattern)}`);
      await tab.waitForTimeout(400);
      await tab.screenshot({ path: join(pictures, `level-${names[0].replace(/\W/g, "-")}.png`) });
    }
    const said = await tab.evaluate(() => globalThis.said);
    const shows = said.filter((text) => /^Baking for ground: links, [1-9]\d? %$/.test(text));
    assert.ok(shows.length > 10, `progress: ${said.slice(0, 20)}`);
    await tab.check("#ladder");
    await tab.waitForFunction(() => globalThis.page.nav.platforms("ground").some(({ kind }) => kind === "ladder"));
    await tab.evaluate(() => globalThis.page.take([["broken.tmx", new Blob(["<map version='1'"])]]));
    await status(tab, /^broken\.tmx/);
    await tab.setInputFiles("#files", fixture("ledges.tmx", "tiles.tsx", "tiles.png"));
    await status(tab, /^Baked in .* for ground: 15 platforms/);
    await close(tab);
  },

  async drop() {
    const tab = await open();
    const files = ["arena.tmx", "tiles.tsx", "tiles.png"].map((name) => [name, readFileSync(join(fixtures, name)).toString("base64")]);
    await tab.evaluate((files) => {
      const dataTransfer = new DataTransfer();
      for (const [name, text] of files) dataTransfer.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    }, files);
    await tab.waitForFunction(() => globalThis.page.baked.name === "arena.tmx");
    await status(tab, /^Baked in/);
    await close(tab);
  },

  async sliders() {
    const tab = await open();
    const links = () => tab.evaluate(() => globalThis.page.nav.links("ground").length);
    const before = await links();
    await tab.focus("#jump");
    await tab.keyboard.press("End");
    await tab.waitForFunction((before) => globalThis.page.nav.links("ground").length !== before, before);
    await status(tab, /^Baked in/);
    const config = await tab.locator("#config").textContent();
    assert.match(config, /\[\[agent\]\]\nname = "ground"[^]*jump_height = 128\n/);
    // The command bakes the same with the file that the page writes.
    const [mesh] = await Promise.all([tab.waitForEvent("download"), tab.click("#saveMesh")]);
    const [toml] = await Promise.all([tab.waitForEvent("download"), tab.click("#saveConfig")]);
    assert.deepEqual([mesh.suggestedFilename(), toml.suggestedFilename()], ["example.navmesh", "navbake.toml"]);
    await toml.saveAs(join(pictures, "navbake.toml"));
    const example = new URL("../page/example.tmx", import.meta.url).pathname;
    for (const file of [example, ...fixture("tiles.tsx", "tiles.png")]) copyFileSync(file, join(pictures, basename(file)));
    execFileSync(command, ["bake", "--quiet", join(pictures, "example.tmx"), "--config", join(pictures, "navbake.toml"), "-o", join(pictures, "same.navmesh")]);
    assert.deepEqual(readFileSync(await mesh.path()), readFileSync(join(pictures, "same.navmesh")));
    await tab.selectOption("#agent", { label: "air" });
    await status(tab, /for air/i);
    assert.equal(await tab.isDisabled("#jump"), true);
    await close(tab);
  },

  async presets() {
    const tab = await open();
    const links = () => tab.evaluate(() => globalThis.page.nav.links("ground").length);
    const counts = [await links()];
    for (const preset of ["heavy", "floaty", "double"]) {
      await tab.selectOption("#preset", preset);
      await tab.waitForFunction((before) => globalThis.page.nav.links("ground").length !== before, counts.at(-1));
      await status(tab, /^Baked in/);
      counts.push(await links());
    }
    console.log(`  links by default, heavy, floaty, with a double jump: ${counts.join(", ")}`);
    assert.ok(counts[1] < counts[2], "a heavy body jumps less far than a floaty one");
    assert.match(await tab.locator("#config").textContent(), /air_jumps = 1/);
    assert.equal(await tab.inputValue("#control"), "12");
    // The address restores them.
    const again = await open({}, tab.url());
    assert.equal(await again.evaluate(() => globalThis.page.nav.links("ground").length), counts.at(-1));
    await close(again);
    await close(tab);
  },

  async hover() {
    const tab = await open();
    const line = await tab.evaluate(() => {
      const { points, kind } = globalThis.page.nav.links("ground").find(({ kind, duration }) => kind === "jump" && duration > 0.4);
      const middle = 2 * Math.floor(points.length / 4);
      return { kind, x: points[middle], y: points[middle + 1] };
    });
    await tab.mouse.move(...(await place(tab, line.x, line.y)));
    assert.match(await tab.locator("#hover").textContent(), /^(on.*)?(jump|drop)link \d+from.*to.*cost[\d.]+ stolerance[\d.]+ s$/);
    await tab.screenshot({ path: join(pictures, "hover.png") });
    await tab.mouse.move(...(await place(tab, 300, 288)));
    assert.match(await tab.locator("#hover").textContent(), /^onplatform \d+: x .*component\d+/);
    await close(tab);
  },

  async player() {
    const tab = await open();
    await tab.check("input[value=play]");
    const player = () => tab.evaluate(() => ({ x: globalThis.page.player.x, y: globalThis.page.player.y, isGrounded: globalThis.page.player.isGrounded }));
    await tab.waitForFunction(() => globalThis.page.player.isGrounded);
    const before = await player();
    await tab.focus("#canvas");
    const key = before.x > 350 ? "a" : "ArrowRight";
    await tab.keyboard.down(key);
    await tab.waitForTimeout(400);
    await tab.keyboard.up(key);
    assert.ok(Math.abs((await player()).x - before.x) > 15, "it runs");
    await tab.waitForFunction(() => globalThis.page.player.isGrounded);
    const floor = (await player()).y;
    await tab.keyboard.down("ArrowUp");
    let highest = 0;
    for (let i = 0; i < 20; i++) {
      await tab.waitForTimeout(25);
      highest = Math.max(highest, floor - (await player()).y);
    }
    await tab.keyboard.up("ArrowUp");
    const { jump_height } = await tab.evaluate(() => globalThis.page.baked.agents[0]);
    assert.ok(highest > 0.7 * jump_height && highest < 1.1 * jump_height, `it jumps ${highest} high, not ${jump_height}`);
    // The enemy reaches it.
    for (let i = 0; ; i++) {
      const [{ x, y }, at] = [await enemy(tab), await player()];
      if (Math.hypot(x - at.x, y - at.y) < 24) break;
      assert.ok(i < 400, `the enemy at ${x}, ${y} does not reach the player at ${JSON.stringify(at)}`);
      await tab.waitForTimeout(50);
    }
    await tab.screenshot({ path: join(pictures, "player.png") });
    await close(tab);
  },

  /** A guard walks to and fro, and chases a ball that is near. */
  async guard() {
    const tab = await open();
    await tab.mouse.move(...(await place(tab, 330, 60)));
    await tab.click("#addGuard");
    await tab.mouse.move(...(await place(tab, 330, 60)));
    const guard = () => tab.evaluate(() => globalThis.page.enemies[1].agent.pose);
    const seen = [];
    for (let i = 0; i < 60; i++) {
      await tab.waitForTimeout(50);
      seen.push(await guard());
    }
    await tab.screenshot({ path: join(pictures, "guard.png") });
    const [xs, ys] = [seen.map(({ x }) => x), seen.map(({ y }) => y)];
    assert.ok(Math.max(...xs) - Math.min(...xs) > 30, `it walks: ${xs}`);
    assert.ok(Math.max(...ys) - Math.min(...ys) < 40, `on its platform: ${ys}`);
    const { x, y } = await guard();
    await tab.mouse.move(...(await place(tab, x > 350 ? x - 70 : x + 70, y - 8)));
    await tab.waitForFunction(() => {
      const { x, y } = globalThis.page.enemies[1].agent.pose;
      return Math.hypot(x - globalThis.page.ball.x, y - globalThis.page.ball.y) < 32;
    });
    await close(tab);
  },

  /** The player is never in a wall and stays in the level, whatever keys are pressed. */
  async keys() {
    const tab = await open();
    await tab.check("input[value=play]");
    const states = await tab.evaluate(() => {
      const { player, baked } = globalThis.page;
      const values = { width: 12, height: 24, speed: 90, gravity: 700, jumpSpeed: 300, acceleration: 900, airAcceleration: 700, airJumps: 1 };
      let seed = 7;
      const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
      const states = { blocked: 0, moved: new Set() };
      for (let i = 0; i < 4000; i++) {
        if (i % 12 === 0) var keys = { left: random() < 0.4, right: random() < 0.5, up: random() < 0.4, down: random() < 0.1 };
        player.update(1 / 60, keys, values);
        states.blocked += player.isBlocked(player.x, player.y, player.y);
        states.moved.add(Math.round(player.x / 16));
      }
      const [x, y, width, height] = baked.bounds;
      return { ...states, moved: states.moved.size, isInside: player.x > x && player.x < x + width && player.y > y && player.y < y + height };
    });
    assert.equal(states.blocked, 0);
    assert.ok(states.moved > 10 && states.isInside, JSON.stringify(states));
    await close(tab);
  },

  async accessible() {
    if (!process.env.AXE) return console.log("  skipped: set AXE to the folder of `axe-core`");
    for (const colorScheme of ["light", "dark"]) {
      const tab = await open({ colorScheme });
      await checkAccess(tab, colorScheme);
      await close(tab);
    }
  },

  /** The page that the command writes: the same, without a bake and enemies. */
  async view() {
    const file = join(pictures, "view.html");
    execFileSync(command, ["view", join(fixtures, "ledges.tmx"), "-o", file], { stdio: "ignore" });
    console.log(`  ${readFileSync(file).length} bytes`);
    for (const [name, options] of Object.entries(SIZES)) {
      const tab = await browser.newPage(options);
      tab.faults = [];
      tab.on("pageerror", (error) => tab.faults.push(error.message));
      await tab.goto(pathToFileURL(file).href);
      await tab.mouse.click(...(await place(tab, 30, 272)));
      assert.match(await tab.locator("#selected").textContent(), /^platform \d+: x /);
      await tab.mouse.move(...(await place(tab, 300, 272)));
      assert.match(await tab.locator("#hover").textContent(), /^vertex/);
      assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} is too wide`);
      await tab.screenshot({ path: join(pictures, `view-${name}.png`) });
      if (process.env.AXE) await checkAccess(tab, name);
      await close(tab);
    }
  },

  /** Layers are switched, and a click selects a platform, as in the page of `navbake view`. */
  async layers() {
    const tab = await open();
    const drawn = () => tab.evaluate(() => NavApp.drawNow());
    assert.ok((await drawn()).jump > 10 && !(await drawn()).collision);
    await tab.uncheck("#show-jump");
    await tab.check("#show-collision");
    assert.ok(!(await drawn()).jump && (await drawn()).collision > 10);
    await tab.mouse.click(...(await place(tab, 300, 287)));
    assert.match(await tab.locator("#selected").textContent(), /^platform \d+: x /);
    const [picture] = await Promise.all([tab.waitForEvent("download"), tab.click("#savePicture")]);
    assert.equal(picture.suggestedFilename(), "level.png");
    await close(tab);
  },

  /** A level whose file has 10 MB. */
  async large() {
    const [width, height] = [2400, 1500];
    // Mostly rock, as levels of this size are: caves with a floor.
    const isFree = (x, y) => y % 60 > 6 && y % 60 < 20 && x % 400 > 3;
    const row = (_, y) => Array.from({ length: width }, (_, x) => (isFree(x, y) ? "0" : "1")).join(", ");
    const map = `<map version="1.10" orientation="orthogonal" renderorder="right-down" width="${width}" height="${height}" tilewidth="16" tileheight="16" infinite="0"><tileset firstgid="1" source="tiles.tsx"/><layer id="1" name="ground" width="${width}" height="${height}"><data encoding="csv">${Array.from({ length: height }, row).join(",\n")}</data></layer></map>`;
    console.log(`  ${map.length} bytes`);
    const tab = await open();
    const tileset = Object.fromEntries(["tiles.tsx", "tiles.png"].map((name) => [name, readFileSync(join(fixtures, name)).toString("base64")]));
    const since = Date.now();
    await tab.evaluate(([map, tileset]) => {
      const files = Object.entries(tileset).map(([name, text]) => [name, new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))])]);
      globalThis.page.take([["large.tmx", new Blob([map])], ...files]);
    }, [map, tileset]);
    await tab.waitForFunction(() => globalThis.page.baked.name === "large.tmx", undefined, { timeout: 300_000 });
    await status(tab, /^Baked in .* platforms/);
    console.log(`  ${((Date.now() - since) / 1000).toFixed(1)} s: ${await tab.locator("#status").textContent()}`);
    assert.ok((await tab.evaluate(() => NavApp.drawNow())).collision > 20, "without a picture, its collision is shown");
    await tab.screenshot({ path: join(pictures, "large.png") });
    await close(tab);
  },

  async path() {
    const tab = await open();
    await tab.check("input[value=path]");
    await tab.mouse.click(...(await place(tab, 104, 284)));
    await status(tab, /where the path ends/);
    await tab.mouse.click(...(await place(tab, 312, 76)));
    await status(tab, /^\d+\.\d+ s: .*jump/);
    await tab.screenshot({ path: join(pictures, "path.png") });
    await tab.focus("#jump");
    await tab.keyboard.press("Home");
    await tab.waitForFunction(() => globalThis.page.baked.agents[0].jump_height === 0);
    await tab.mouse.click(...(await place(tab, 104, 284)));
    await tab.mouse.click(...(await place(tab, 312, 76)));
    await status(tab, /^No path: .*\n./);
    await tab.screenshot({ path: join(pictures, "no-path.png") });
    await close(tab);
  },

  async tiles() {
    const tab = await open();
    const pieces = () => tab.evaluate(() => JSON.stringify(globalThis.page.baked.collision.map((piece) => [...piece.points])));
    const before = await pieces();
    await tab.check("input[value=edit]");
    await tab.mouse.move(...(await place(tab, 72, 296)));
    await tab.mouse.down();
    await tab.mouse.move(...(await place(tab, 120, 296)), { steps: 8 });
    await tab.mouse.up();
    await tab.waitForTimeout(1500);
    await status(tab, /^Baked in/);
    const after = await pieces();
    assert.notEqual(after, before);
    await tab.screenshot({ path: join(pictures, "tiles.png") });
    await tab.selectOption("#material", "solid");
    await tab.mouse.click(...(await place(tab, 200, 120)));
    await tab.waitForFunction((after) => JSON.stringify(globalThis.page.baked.collision.map((piece) => [...piece.points])) !== after, after);
    await close(tab);
  },

  async sizes() {
    for (const [name, options] of Object.entries(SIZES)) {
      const tab = await open(options);
      const [x, y] = await place(tab, 470, 250);
      await (options.hasTouch ? tab.touchscreen.tap(x, y) : tab.mouse.move(x, y));
      await arrives(tab, 470, 266);
      await tab.screenshot({ path: join(pictures, `${name}.png`) });
      await tab.evaluate(() => document.querySelector("aside").scrollTo(0, 1e5));
      await tab.screenshot({ path: join(pictures, `${name}-end.png`) });
      assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} is too wide`);
      const nameless = await tab.evaluate(() => [...document.querySelectorAll("button, select, input, canvas:not([aria-hidden])")].filter((one) => !(one.labels?.length || one.ariaLabel || one.textContent.trim())).map((one) => one.id));
      assert.deepEqual(nameless, []);
      await close(tab);
    }
  },

  /** The page of the README. */
  async guide() {
    if (!guide) return;
    const tab = await browser.newPage();
    const faults = [];
    tab.on("pageerror", (error) => faults.push(error.message));
    await tab.goto(`${address}guide/index.html`);
    const heard = [];
    tab.on("console", (message) => heard.push(message.args()[0].evaluate((event) => event.type)));
    await tab.waitForFunction(() => document.getElementById("canvas").onmousemove);
    await tab.mouse.move(180, 34);
    for (let i = 0; i < 200; i++) {
      if ((await Promise.all(heard)).includes("arrived")) break;
      await tab.waitForTimeout(50);
    }
    assert.ok((await Promise.all(heard)).includes("arrived"), "the enemy arrives");
    assert.ok((await Promise.all(heard)).includes("jumped"), "the enemy jumps");
    assert.deepEqual(faults, []);
    await tab.screenshot({ path: join(pictures, "guide.png") });
    await tab.close();
  },

  async phaser() {
    if (!process.env.PHASER) return console.log("  skipped: set PHASER to the folder of `phaser`");
    await playExample("phaser", ["walker", "flier"], () => {
      const { player, walker, flier } = globalThis.game?.scene.scenes[0] ?? {};
      return flier?.agent && Object.entries({ player, walker, flier }).map(([name, { x, y }]) => [name, x, y, player.body.blocked.down]);
    });
  },

  async kaplay() {
    if (!process.env.KAPLAY) return console.log("  skipped: set KAPLAY to the folder of `kaplay`");
    await playExample("kaplay", ["enemy"], () => {
      const { player, enemy } = globalThis.game ?? {};
      return player && Object.entries({ player, enemy }).map(([name, { pos }]) => [name, pos.x, pos.y, player.isGrounded()]);
    });
  },

  /** 1,000 walking agents. */
  async speed() {
    const tab = await open();
    const time = await tab.evaluate(() => {
      const { nav } = globalThis.page;
      const floors = nav.platforms("ground").map(({ points }) => [points[0], points[1]]);
      const agents = Array.from({ length: 1000 }, (_, i) => nav.agent("ground", ...floors[i % floors.length]));
      const times = [];
      let moving = 0;
      for (let frame = 0; frame < 400; frame++) {
        const since = performance.now();
        nav.update(1 / 60);
        const { poses } = nav;
        times.push(performance.now() - since);
        // Those that have arrived get another destination.
        agents.forEach((agent, i) => {
          if (poses[agent.index * 6 + 5] === 0) agent.goTo(...floors[(i * 7 + frame) % floors.length]);
          else moving++;
        });
      }
      agents.forEach((agent) => agent.remove());
      const last = times.slice(100).sort((a, b) => a - b);
      return { moving: moving / 400, mean: last.reduce((a, b) => a + b) / 300, median: last[150], worst: last[299] };
    });
    console.log(`  ${time.moving.toFixed(0)} of 1,000 agents move: ${time.median.toFixed(2)} ms a frame (median), mean ${time.mean.toFixed(2)}, worst ${time.worst.toFixed(2)}`);
    assert.ok(time.moving > 900 && time.median < 10);
    await close(tab);
  },
};

try {
  for (const [name, test] of Object.entries(tests)) {
    if (process.env.ONLY && !name.includes(process.env.ONLY)) continue;
    await test();
    console.log(`ok: ${name}`);
  }
} finally {
  await browser.close();
  server.close();
}
