// Reads bytes from wherever they are, in browsers, workers, bundlers and Node.

/** Bytes as they are, or those of an address; in Node also of a file. */
export async function bytesOf(source) {
  if (source instanceof Uint8Array) return source;
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  const isFile = source instanceof URL ? source.protocol === "file:" : !/^[a-z][a-z0-9+.-]+:/i.test(source);
  if (isFile && globalThis.process?.versions?.node) {
    // A name that bundlers do not follow.
    const files = "node:fs/promises";
    return new Uint8Array(await (await import(/* @vite-ignore */ /* webpackIgnore: true */ files)).readFile(source));
  }
  const answer = await fetch(source);
  if (!answer.ok) throw new Error(`${source}: ${answer.status} ${answer.statusText}`);
  return new Uint8Array(await answer.arrayBuffer());
}
