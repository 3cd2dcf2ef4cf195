// The last step of the build: writes compressed variants, as the server sends them to most browsers, beside each built file: `.br` and
// `.gz`, as small as possible, so that no request has to compress.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const text = /\.(?:css|html|js|json|md|svg|txt|webmanifest)$/;
/** Below this the headers cost more than the compression saves. */
const bytesMin = 1_024;

export function compressAssets(): Plugin {
  let dist = "";
  return {
    name: "compress-assets",
    apply: "build",
    configResolved({ root, build: { outDir } }) {
      dist = join(root, outDir);
    },
    closeBundle: { order: "post", sequential: true, handler: () => compress(dist) },
  };
}

function compress(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    // What the server fills in is compressed by it.
    if (!entry.isFile() || !text.test(entry.name) || path.includes("/prerendered/")) continue;
    const body = readFileSync(path);
    if (body.length < bytesMin) continue;
    const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    writeFileSync(`${path}.br`, brotliCompressSync(body, { params: quality }));
    writeFileSync(`${path}.gz`, gzipSync(body, { level: 9 }));
  }
}
