// Runs the page of `navbake view` without a browser: with the parts of a
// document that its scripts need and a canvas that records what is drawn.
//
//   node shim.js PAGE.html < tasks.json
//
// Reads a list of tasks from stdin and writes the result of each to stdout:
//   {"click": [x, y]}             a click at a world position; the selection
//   {"keys": ["Enter", …]}        key presses on the picture; the selection
//   {"agent": n} {"file": n}      a choice in a menu
//   {"hover": [x, y]}             the panel's text about a world position
//   {"floors": true}              floor vertices, and those without a platform in the panel
//   {"draw": true}                what a redraw draws
//   {"legend": true}              the check boxes of layers and kinds of link, with colours
"use strict";
const fs = require("node:fs");
const vm = require("node:vm");

const page = fs.readFileSync(process.argv[2], "utf8");
const size = { width: 1000, height: 700 };

/** The number of calls on all canvases, by name. */
const calls = {};
/** The colours of strokes. */
const strokes = new Set();

function recorder() {
  const count = (name) => { calls[name] = (calls[name] || 0) + 1; };
  const own = {
    createImageData: (width, height) => ({ width, height, data: new Uint8ClampedArray(4 * width * height) }),
    putImageData: (image) => {
      count("putImageData");
      calls.pixels = image.data.filter((v, i) => i % 4 === 3 && v > 0).length;
    },
  };
  own.measureText = (text) => ({ width: 7 * text.length });
  own.stroke = () => {
    count("stroke");
    strokes.add(own.strokeStyle);
  };
  for (const name of ["moveTo", "lineTo"]) {
    own[name] = (x, y) => {
      if (!Number.isFinite(x) || !Number.isFinite(y)) throw new Error(`${name} to ${x}, ${y}`);
      count(name);
    };
  }
  return new Proxy(own, {
    get: (target, name) => (name in target ? target[name] : () => count(name)),
    set: (target, name, value) => { if (typeof target[name] !== "function") target[name] = value; return true; },
  });
}

function element(tag) {
  const listeners = {};
  const self = {
    tag, children: [], attributes: {}, style: {}, hidden: false, checked: false, value: "", text: "",
    clientWidth: size.width, clientHeight: size.height,
    get textContent() { return self.text + self.children.map((c) => (typeof c === "string" ? c : c.textContent)).join(" "); },
    set textContent(text) { self.text = String(text); self.children = []; },
    append(...items) { self.children.push(...items); },
    prepend(...items) { self.children.unshift(...items); },
    addEventListener(name, then) { (listeners[name] = listeners[name] || []).push(then); },
    dispatch(name, event = {}) {
      for (const then of listeners[name] || []) then({ preventDefault() {}, isTrusted: false, button: 0, ...event });
    },
    setAttribute(name, value) { self.attributes[name] = value; },
    removeAttribute(name) { delete self.attributes[name]; },
    getBoundingClientRect: () => ({ left: 0, top: 0, ...size }),
    focus() {},
  };
  const context = recorder();
  self.getContext = () => context;
  self.parentElement = { hidden: false };
  return self;
}

const elements = new Map();
for (const [, tag, id] of page.matchAll(/<(\w+)[^>]*\bid="([\w-]+)"/g)) elements.set(id, element(tag));
elements.get("data").text = page.match(/id="data">([^<]*)<\/script>/)[1];

const frames = [];
const context = vm.createContext({
  document: {
    getElementById: (id) => {
      if (!elements.has(id)) throw new Error(`the page has no element ${id}`);
      return elements.get(id);
    },
    createElement: (tag) => element(tag),
  },
  window: { addEventListener() {}, devicePixelRatio: 1 },
  location: { hash: process.argv[3] || "" },
  history: { replaceState() {} },
  requestAnimationFrame: (then) => frames.push(then),
  console,
});
const scripts = [...page.matchAll(/<script>\n([\s\S]*?)<\/script>/g)].map((m) => m[1]);
const NavApp = vm.runInContext(`${scripts.join("\n")}\n;NavApp`, context);
const settle = () => { while (frames.length) frames.shift()(); };
settle();

const canvas = elements.get("canvas");
const current = () => NavApp.data.files[NavApp.state.file];
const screen = (p) => {
  const [clientX, clientY] = NavApp.toScreen(p);
  return { clientX, clientY };
};
/** A view in cells. */
const inCells = ({ left, top, scale }) => {
  const [x, y] = NavApp.toCells([left, top]);
  return { left: x, top: y, scale: scale * current().grid.spacing };
};
/** How many things of each layer were drawn, with the sum of all kinds of link. */
const counts = (drawn) => {
  const { vertices = 0, floor: platforms = 0, gates = 0, labels = 0 } = drawn;
  // A path has an outline and marks at its ends.
  const paths = drawn.paths > 0 ? 1 : 0;
  const kinds = new Set(current().agents.flatMap((agent) => agent.links.map((link) => link.kind)));
  const links = Object.entries(drawn).filter(([layer]) => kinds.has(layer)).reduce((sum, [, count]) => sum + count, 0);
  return { vertices, platforms, gates, labels, paths, links };
};
const selection = () => ({
  platform: NavApp.state.selected,
  text: elements.get("selected").textContent,
  links: elements.get("links").children.map((item) => item.textContent),
});

function run(task) {
  if (task.click) {
    canvas.dispatch("pointerdown", screen(task.click));
    canvas.dispatch("pointerup", screen(task.click));
    settle();
    return selection();
  }
  if (task.keys) {
    for (const key of task.keys) canvas.dispatch("keydown", { key });
    settle();
    return selection();
  }
  if (task.floors) {
    const { columns, rows } = current().grid;
    const vertices = [...Array(columns * rows).keys()].map((vertex) => NavApp.vertexRows([vertex % columns, Math.floor(vertex / columns)]));
    const floor = vertices.filter((pairs) => pairs.some(([name, value]) => name === "type" && value === "on floor"));
    const without = floor.filter((pairs) => !pairs.some(([name]) => name === "stands on"));
    return { floor: floor.length, without: without.length };
  }
  if (task.hover) {
    canvas.dispatch("pointermove", screen(task.hover));
    settle();
    return elements.get("hover").textContent;
  }
  if (task.agent !== undefined) NavApp.setAgent(task.agent);
  if (task.file !== undefined) NavApp.setFile(task.file);
  settle();
  if (task.legend) {
    const layers = [...elements.keys()].filter((id) => id.startsWith("show-") && !elements.get(id).parentElement.hidden);
    const kinds = elements.get("kinds").children.map((label) => [label.textContent.trim(), label.style.color]);
    return { layers, kinds };
  }
  if (!task.draw) return { changes: elements.get("changes").textContent, review: !elements.get("review").hidden };
  for (const name of Object.keys(calls)) if (name !== "pixels") delete calls[name];
  strokes.clear();
  if (task.view) Object.assign(NavApp.state.view, inCells(task.view));
  const began = process.hrtime.bigint();
  const drawn = NavApp.drawNow();
  const milliseconds = Number(process.hrtime.bigint() - began) / 1e6;
  return { drawn: counts(drawn), calls: { ...calls }, colours: [...strokes], view: { ...NavApp.state.view }, milliseconds };
}

const tasks = JSON.parse(fs.readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(tasks.map(run)));
