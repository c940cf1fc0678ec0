// The runtime: levels in play. `navbake/baker` bakes them.
import start, { Navigator } from "./wasm/runtime.js";
import { bytesOf } from "./load.js";

export { Navigator, Agent, activities } from "./wasm/runtime.js";

let started;

/** Loads the module, once. `module` is where it is, for servers that move files. */
export function init(module = new URL("./wasm/runtime_bg.wasm", import.meta.url)) {
  return (started ??= bytesOf(module).then((bytes) => start({ module_or_path: bytes })));
}

/** Loads the module and a level: the bytes or the address of a baked file. */
export async function load(level, module) {
  const [bytes] = await Promise.all([bytesOf(level), init(module)]);
  return new Navigator(bytes);
}
