import type { Navigator } from "./wasm/behavior.js";

export type {
  Activity, AgentEvent, BodyCommand, BodyState, Link, Marker, MovingPlatform, PathResult, PathStep, Platform, Point, Pose, TaskResult, Tasks, TaskStep,
} from "./wasm/behavior.js";
export { Agent, Brains, Navigator, Tree, activities } from "./wasm/behavior.js";

/** Bytes, or the address where they are; in Node also a file. */
export type Source = Uint8Array | ArrayBuffer | URL | string;

/** Loads the module, once. `module` is where `wasm/behavior_bg.wasm` is, for servers that move files. */
export function init(module?: Source): Promise<unknown>;

/** Loads the module and a level: the bytes or the address of a baked file. */
export function load(level: Source, module?: Source): Promise<Navigator>;
