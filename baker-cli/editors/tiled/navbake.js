// An extension for Tiled 1.11 and newer: bakes a map with `navbake` when it is saved, and
// lists warnings and errors in the Issues view. Double-click one to go to its object or layer.
//
// Copy this file to the extensions folder (Edit > Preferences > Plugins > Open), or to the
// folder `extensions` next to your `.tiled-project`.
//
// Maps are baked on save if a baked file is next to them, or a `navbake.toml` in their folder
// or above it. Map > Bake Nav Mesh bakes any map. Two properties of the project (Project >
// Project Properties) change the command:
//   navbake            the program, if it is not on the PATH
//   navbake_arguments  arguments for `navbake bake`, such as: --config agents.toml -o build/nav

(function () {
  "use strict";

  function setting(name, otherwise) {
    const value = tiled.project && tiled.project.property(name);
    if (value === undefined || value === null || value === "") return otherwise;
    return value.localFile || String(value);
  }

  /** Whether the maps of a folder are baked. */
  function isConfigured(folder) {
    while (!File.exists(FileInfo.joinPaths(folder, "navbake.toml"))) {
      const parent = FileInfo.path(folder);
      if (!parent || parent === folder) return false;
      folder = parent;
    }
    return true;
  }

  function isBakedOnSave(map) {
    const folder = FileInfo.path(map.fileName);
    const baked = FileInfo.completeBaseName(map.fileName) + ".navmesh";
    return File.exists(FileInfo.joinPaths(folder, baked)) || isConfigured(folder);
  }

  /** The first layer or object of a map for which a test holds, in groups too. */
  function find(layers, test) {
    for (const layer of layers) {
      if (test(layer)) return { layer };
      if (layer.isGroupLayer) {
        const found = find(layer.layers, test);
        if (found) return found;
      }
      if (layer.isObjectLayer) {
        const object = layer.objects.find(test);
        if (object) return { layer, object };
      }
    }
    return null;
  }

  /** Selects what a message names: `object 12`, or `layer "ground"`. */
  function show(fileName, message) {
    const map = tiled.open(fileName);
    if (!map || !map.isTileMap) return;
    const id = /\bobject (\d+)/.exec(message);
    const layer = /\blayer "([^"]*)"/.exec(message);
    const place =
      (id && find(map.layers, (item) => item.layer !== undefined && item.id === Number(id[1]))) ||
      (layer && find(map.layers, (item) => item.layer === undefined && item.name === layer[1]));
    if (!place) return;
    map.currentLayer = place.layer;
    if (!place.object) return;
    map.selectedObjects = [place.object];
    const view = tiled.mapEditor && tiled.mapEditor.currentMapView;
    if (view) view.centerOn(place.object.x, place.object.y);
  }

  function report(fileName, line) {
    let level;
    try {
      level = JSON.parse(line);
    } catch (_) {
      return false;
    }
    for (const warning of level.warnings || []) {
      tiled.warn(warning, () => show(fileName, warning));
    }
    if (level.error) tiled.error(level.error, () => show(fileName, level.error));
    else tiled.log("navbake: " + level.output + " " + level.status);
    return true;
  }

  function bake(map) {
    const process = new Process();
    process.workingDirectory = FileInfo.path(map.fileName);
    const more = setting("navbake_arguments", "").split(/\s+/).filter(Boolean);
    const args = ["bake", map.fileName, "--json"].concat(more);
    const program = setting("navbake", "navbake");
    const status = process.exec(program, args, false);
    const lines = process.readStdOut().split("\n").filter(Boolean);
    const isReported = lines.map((line) => report(map.fileName, line)).includes(true);
    if (status === -1) {
      const help = "install it, or set the property `navbake` of the project to its path";
      tiled.error("`" + program + "` cannot be run: " + help, () => {});
    } else if (!isReported) {
      tiled.error(process.readStdErr().trim() || program + " ended with " + status, () => {});
    }
    process.close();
  }

  tiled.assetSaved.connect(function (asset) {
    const maps = asset.isTileMap
      ? [asset]
      : tiled.openAssets.filter(
          (map) => asset.isTileset && map.isTileMap && map.usedTilesets().includes(asset));
    maps.filter((map) => map.fileName && isBakedOnSave(map)).forEach(bake);
  });

  const action = tiled.registerAction("BakeNavMesh", function () {
    const map = tiled.activeAsset;
    if (!map || !map.isTileMap) return;
    if (!map.fileName) {
      tiled.error("save the map before you bake it", () => {});
      return;
    }
    const isBakedBySaving = map.modified && isBakedOnSave(map);
    if (map.modified && !map.save() || isBakedBySaving) return;
    bake(map);
  });
  action.text = "Bake Nav Mesh";
  tiled.extendMenu("Map", [{ separator: true }, { action: "BakeNavMesh" }]);
})();
