// The parts of Tiled's scripting interface that the extension uses, after its type
// definitions (@mapeditor/tiled-api). Arguments: the extension, `navbake`, a map. Saves the
// map, and prints as JSON what the extension showed, and what each issue selects.
"use strict";

const fs = require("fs");
const path = require("path");
const vm = require("vm");
const { spawnSync } = require("child_process");

const [extension, program, fileName] = process.argv.slice(2);
const properties = { navbake: { localFile: program }, navbake_arguments: "--force" };
const [saved, actions, issues, logged] = [[], {}, [], []];

/** The map as Tiled shows it: layers, and objects with their ids. */
function readMap() {
  const text = fs.readFileSync(fileName, "utf8");
  const layers = [];
  for (const found of text.matchAll(/<(layer|objectgroup|object) id="(\d+)"(?: name="([^"]*)")?/g)) {
    const [, kind, id, name] = found;
    if (kind === "object") {
      const layer = layers[layers.length - 1];
      layer.objects.push({ id: Number(id), name, layer, x: 8, y: 8 });
    } else {
      const isObjectLayer = kind === "objectgroup";
      layers.push({ id: Number(id), name, isObjectLayer, isGroupLayer: false, objects: [] });
    }
  }
  return { isTileMap: true, fileName, layers, modified: false, usedTilesets: () => [] };
}

class Process {
  exec(file, args) {
    this.result = spawnSync(file, args, { cwd: this.workingDirectory, encoding: "utf8" });
    return this.result.error ? -1 : this.result.status;
  }
  readStdOut() { return this.result.stdout || ""; }
  readStdErr() { return this.result.stderr || ""; }
  close() {}
}

const map = readMap();
const issue = (kind) => (text, activated) => issues.push({ kind, text, activated });
const tiled = {
  project: { property: (name) => properties[name] },
  openAssets: [map],
  activeAsset: map,
  assetSaved: { connect: (call) => saved.push(call) },
  registerAction: (id, call) => (actions[id] = { call }),
  extendMenu: (menu, items) => items.every((item) => item.separator || actions[item.action].text),
  open: (name) => (name === fileName ? map : null),
  warn: issue("warning"),
  error: issue("error"),
  log: (text) => logged.push(text),
  mapEditor: { currentMapView: { centerOn() {} } },
};
const FileInfo = {
  path: path.posix.dirname,
  joinPaths: path.posix.join,
  completeBaseName: (file) => path.posix.basename(file).replace(/\.[^.]*$/, ""),
};
const context = { tiled, Process, FileInfo, File: { exists: fs.existsSync } };
vm.runInNewContext(fs.readFileSync(extension, "utf8"), context);

saved.forEach((call) => call(map));
const afterSaving = issues.length + logged.length;
if (afterSaving === 0) actions.BakeNavMesh.call();
const shown = issues.map(({ kind, text, activated }) => {
  activated();
  const [object] = map.selectedObjects || [];
  return { kind, text, object: object && object.id, layer: map.currentLayer && map.currentLayer.name };
});
console.log(JSON.stringify({ shown, logged, afterSaving }));
