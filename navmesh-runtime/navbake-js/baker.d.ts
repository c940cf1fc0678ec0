import type { BakeOptions, Level } from "./wasm/baker.js";

export type {
  BakeOptions, CollisionPiece, Explanation, Files, MaterialName, Picture, Undecided,
} from "./wasm/baker.js";
export { Level, levelNames } from "./wasm/baker.js";

/** Loads the module, once. `module` is where `wasm/baker_bg.wasm` is, for servers that move files. */
export function init(module?: Uint8Array | ArrayBuffer | URL | string): Promise<unknown>;

/**
 * Loads the module and bakes a level. The bytes are the same as those that the command `navbake`
 * writes. Throws an error that says which file is wrong, and what to do.
 */
export function bake(options: BakeOptions, module?: Uint8Array | ArrayBuffer | URL | string): Promise<Level>;
