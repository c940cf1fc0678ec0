// The baker: level files to baked files.
import start, { bake as bakeNow } from "./wasm/baker.js";
import { bytesOf } from "./load.js";

export { Level, levelNames } from "./wasm/baker.js";

let started;

/** Loads the module, once. `module` is where it is, for servers that move files. */
export function init(module = new URL("./wasm/baker_bg.wasm", import.meta.url)) {
  return (started ??= bytesOf(module).then((bytes) => start({ module_or_path: bytes })));
}

/** Loads the module and bakes a level. */
export async function bake(options, module) {
  await init(module);
  return bakeNow(options);
}
