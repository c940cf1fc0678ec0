// Writes the page: one file with everything in it. Usage: node build.mjs OUT.html
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { bake, initSync } from "../target/page/page.js";

const read = (path) => readFileSync(new URL(path, import.meta.url));
const base64 = (bytes) => Buffer.from(bytes).toString("base64");
const packed = (path) => base64(gzipSync(read(path), { level: 9 }));
// Without the comments that stand on lines of their own, and indents.
const short = (path) => read(path).toString().replace(/^\s*(\/\*\*[^]*?\*\/|\/\/.*)$/gm, "").replace(/\n\s+/g, "\n");
// Not base64: servers compress text to half as much.
const module = (path) => `data:text/javascript,${encodeURIComponent(short(path))}`;

const files = {
  "example.tmx": read("example.tmx"),
  "tiles.tsx": read("../../../fixtures/tiles.tsx"),
  "tiles.png": read("../../../fixtures/tiles.png"),
};
const shown = { file: "", grid: { origin: [0, 0], spacing: 1, columns: 1, rows: 1, down: 1 }, places: [], markers: [] };
initSync({ module: read("../target/page/page_bg.wasm") });
const level = bake({ files });
const view = "../../../baker-cli/src/report/view";
const example = {
  files: Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, base64(bytes)])),
  baked: {
    bytes: base64(level.bytes),
    name: level.name,
    bounds: [...level.bounds],
    tile: [...level.tileSize],
    agents: JSON.parse(level.agents),
    collision: level.collision.map(({ material, points }) => ({ material, points: [...points] })),
    warnings: level.warnings,
  },
};
const imports = {
  "page/navbake.js": module("../target/page/page.js"),
  "page/service.js": module("service.js"),
  "page/config.js": module("config.js"),
  "page/player.js": module("player.js"),
  "page/overlay.js": module("overlay.js"),
};
const scripts = [
  `<script type="application/json" id="example">${JSON.stringify(example).replaceAll("<", "\\u003c")}</script>`,
  `<script type="text/plain" id="module">${packed("../target/page/page_bg.wasm")}</script>`,
  `<script type="importmap">${JSON.stringify({ imports })}</script>`,
  `<script type="module">${short("app.js")}</script>`,
];
const [style, stage, panel, end] = read("panel.html").toString().split("<!-- part -->\n");
// The page of `navbake view`, and what lives in it.
const parts = {
  "script-src 'unsafe-inline'": "script-src 'unsafe-inline' 'wasm-unsafe-eval' data:; worker-src blob:",
  "{{title}}: navigation mesh": "navbake",
  "{{style}}": `${read(`${view}/style.css`)}`,
  "</head>": `${style}</head>`,
  "</main>": `${stage}</main>`,
  "<aside>": `<aside>\n${panel}`,
  "</aside>": `${end}</aside>`,
  // What is shown until the module is there.
  "{{data}}": JSON.stringify({ files: [{ ...shown, agents: [] }], paths: [] }),
  "{{scripts}}": short(`${view}/draw.js`) + short(`${view}/app.js`),
  "</body>": `${scripts.join("\n")}\n</body>`,
};
let page = read(`${view}/page.html`).toString();
for (const [mark, text] of Object.entries(parts)) page = page.replace(mark, () => text);
writeFileSync(process.argv[2], page);
