import type { Navigator } from "./wasm/runtime.js";

export type {
  Activity, AgentEvent, BodyCommand, BodyState, Link, Marker, MovingPlatform, PathResult, PathStep, Platform, Point, Pose,
} from "./wasm/runtime.js";
export { Agent, Navigator, activities } from "./wasm/runtime.js";

/** Bytes, or the address where they are; in Node also a file. */
export type Source = Uint8Array | ArrayBuffer | URL | string;

/** Loads the module, once. `module` is where `wasm/runtime_bg.wasm` is, for servers that move files. */
export function init(module?: Source): Promise<unknown>;

/** Loads the module and a level: the bytes or the address of a baked file. */
export function load(level: Source, module?: Source): Promise<Navigator>;
