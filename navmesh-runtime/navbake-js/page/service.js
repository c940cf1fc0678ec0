// One level and its bakes, in a worker or in the page.

/** Calls by name on the baker. Results are plain data. `progress` gets what is being baked, and which part is done. */
export function service(baker, progress) {
  let level;
  const mesh = (bytes, since) => ({ bytes, milliseconds: performance.now() - since, data: baker.pageData(level.name, bytes), collision: level.collision, agents: JSON.parse(level.agents), warnings: level.warnings });
  return {
    async start(wasm) {
      await baker.default({ module_or_path: wasm });
    },
    names: (files) => baker.levelNames(files),
    bake(options) {
      const since = performance.now();
      const next = baker.bake({ ...options, progress });
      level?.free();
      level = next;
      return { ...mesh(level.bytes, since), name: level.name, bounds: level.bounds, tile: level.tileSize, undecided: level.undecided };
    },
    picture: () => level.picture(),
    edit(edits) {
      const since = performance.now();
      for (const { x, y, width, height, material } of edits) level.setTiles(x, y, width, height, material);
      return mesh(level.update(), since);
    },
    configure(text) {
      const since = performance.now();
      return mesh(level.configure(text), since);
    },
    explain: (agent, from, to) => level.explain(agent, from.x, from.y, to.x, to.y),
  };
}

/** Answers calls that arrive as messages. */
export function serve(baker) {
  const calls = service(baker, (agent, stage, part) => postMessage({ progress: [agent, stage, part] }));
  addEventListener("message", async ({ data: { id, name, args } }) => {
    try {
      postMessage({ id, result: await calls[name](...args) });
    } catch (error) {
      postMessage({ id, error: error.message ?? String(error) });
    }
  });
}

/** The same calls, all of them asynchronous: in a worker if the browser lets this page have one. */
export async function connect(wasm, progress) {
  let calls;
  try {
    calls = await inWorker(wasm, progress);
  } catch {
    const inPage = service(await import("page/navbake.js"));
    calls = async (name, ...args) => inPage[name](...args);
    await calls("start", wasm);
  }
  return calls;
}

async function inWorker(wasm, progress) {
  // One script that is no module: a page from disk gets no workers that are.
  const source = (name) =>
    decodeURIComponent(import.meta.resolve(name).replace(/^[^,]*,/, "")).replace(/^export (\{.*\};)?/gm, "").replaceAll("import.meta", "self.location");
  const code = `${source("page/navbake.js")}\n${source("page/service.js")}
serve({ default: __wbg_init, levelNames, bake, pageData }); postMessage({ id: 0 });`;
  const address = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const worker = new Worker(address);
  const waiting = new Map();
  worker.onmessage = ({ data: { id, result, error, progress: now } }) => {
    if (now) return progress(...now);
    const [done, fail] = waiting.get(id) ?? [];
    waiting.delete(id);
    if (error === undefined) done?.(result);
    else fail?.(new Error(error));
  };
  await new Promise((done, fail) => {
    waiting.set(0, [done, fail]);
    worker.onerror = (event) => fail(new Error(event.message));
  });
  let last = 0;
  const calls = (name, ...args) =>
    new Promise((done, fail) => {
      waiting.set(++last, [done, fail]);
      worker.postMessage({ id: last, name, args });
    });
  // Out of memory, or a fault: no call would be answered again.
  worker.onerror = (event) => {
    for (const [, fail] of waiting.values()) fail(new Error(event.message));
    waiting.clear();
  };
  await calls("start", wasm);
  return calls;
}
