#!/usr/bin/env node
// The command `navbake` as WebAssembly, with the files and streams of Node.
import { readFileSync } from "node:fs";
import { parse } from "node:path";

// Node warns that its WASI is experimental.
process.removeAllListeners("warning");
const { WASI } = await import("node:wasi");

const folder = process.cwd();
const { root } = parse(folder);
const wasi = new WASI({
  version: "preview1",
  args: ["navbake", ...process.argv.slice(2)],
  env: { ...process.env, PWD: `/${folder.slice(root.length).replaceAll("\\", "/")}` },
  preopens: { "/": root },
});
const module = await WebAssembly.compile(readFileSync(new URL("../wasm/command.wasm", import.meta.url)));
process.exitCode = wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()));
