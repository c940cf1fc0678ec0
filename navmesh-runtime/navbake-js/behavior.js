// The runtime with behaviour trees. It has all of `navbake`: a game loads one of the two.
import start, { Navigator } from "./wasm/behavior.js";
import { bytesOf } from "./load.js";

export { Navigator, Agent, Brains, Tree, activities } from "./wasm/behavior.js";

let started;

/** Loads the module, once. `module` is where it is, for servers that move files. */
export function init(module = new URL("./wasm/behavior_bg.wasm", import.meta.url)) {
  return (started ??= bytesOf(module).then((bytes) => start({ module_or_path: bytes })));
}

/** Loads the module and a level: the bytes or the address of a baked file. */
export async function load(level, module) {
  const [bytes] = await Promise.all([bytesOf(level), init(module)]);
  return new Navigator(bytes);
}
