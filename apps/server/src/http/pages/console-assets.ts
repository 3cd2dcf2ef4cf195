// The console as built by `bun run build`: files named by their content are kept for a year, every
// other page of it is index.html. Paths of the API are never answered here.
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import type { Config } from "../../config.ts";
import { acceptsEncoding } from "../answers/accepts-encoding.ts";
import { lacksVersion } from "../routes/describe-url.ts";
import type { ServeConsole } from "../routes/unknown-url.ts";
import { consoleHeaders } from "./console-headers.ts";

export const builtConsole = join(import.meta.dirname, "../../../../console/dist");

type Asset = {
  readonly body: Uint8Array<ArrayBuffer>;
  /** By the name of the encoding, if the build wrote it. */
  readonly encoded: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
  readonly type: string;
  readonly etag: string;
  readonly immutable: boolean;
};

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".md": "text/markdown; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".xml": "application/xml; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

/** Best first. */
const encodings = [
  { name: "br", ending: ".br" },
  { name: "gzip", ending: ".gz" },
] as const;
const page = "/index.html";

const apiPaths =
  /^\/(?:v1|api\/v1|trpc|stripe|console|dev|metrics|livez|readyz|\.well-known)(?:\/|$)/;

/**
 * Whether the console may answer this request: only pages and files, and never what the API
 * answers. A program that omitted `/v1` gets a 404 with a hint, although the console has a page
 * called `/models`.
 */
export function isConsoleRequest(request: Request): boolean {
  if (request.method !== "GET" && request.method !== "HEAD") return false;
  const { pathname } = new URL(request.url);
  if (lacksVersion(pathname) && !isNavigation(request)) return false;
  return !apiPaths.test(pathname);
}

/** A browser that navigates, as opposed to a program that asks for JSON at the wrong address. */
function isNavigation({ headers }: Request): boolean {
  return headers.get("accept")?.includes("text/html") ?? false;
}

/** Reads everything once. Undefined if nothing is built. */
export function createConsoleAssets(
  config: Config,
  folder = builtConsole,
): ServeConsole | undefined {
  const assets = readAssets(folder);
  const index = assets.get(page);
  if (index === undefined) return undefined;
  const headers = consoleHeaders(config);
  return async (request) => {
    if (!isConsoleRequest(request)) return undefined;
    const path = decodePath(request.url);
    const asset = assets.get(path === "/" ? page : path);
    if (asset !== undefined) return answerAsset(request, asset, headers);
    return isNavigation(request) ? answerAsset(request, index, headers) : undefined;
  };
}

function decodePath(url: string): string {
  const { pathname } = new URL(url);
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

function answerAsset(
  request: Request,
  asset: Asset,
  headers: Readonly<Record<string, string>>,
): Response {
  const shared = {
    ...headers,
    "cache-control": asset.immutable ? "public, max-age=31536000, immutable" : "no-cache",
    etag: asset.etag,
    vary: "Accept-Encoding",
  };
  if (request.headers.get("if-none-match")?.includes(asset.etag)) {
    return new Response(null, { status: 304, headers: shared });
  }
  for (const { name } of encodings) {
    const body = asset.encoded.get(name);
    if (body === undefined || !acceptsEncoding(request, name)) continue;
    const encoded = { ...shared, "content-type": asset.type, "content-encoding": name };
    return new Response(body, { headers: encoded });
  }
  return new Response(asset.body, { headers: { ...shared, "content-type": asset.type } });
}

function readAssets(folder: string): ReadonlyMap<string, Asset> {
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const name of listFiles(folder)) {
    files.set(`/${name}`, new Uint8Array(readFileSync(join(folder, name))));
  }
  const assets = new Map<string, Asset>();
  for (const [path, body] of files) {
    const type = types[extname(path)];
    if (type === undefined || path.startsWith("/.")) continue;
    const encoded = new Map<string, Uint8Array<ArrayBuffer>>();
    for (const { name, ending } of encodings) {
      const smaller = files.get(path + ending);
      if (smaller) encoded.set(name, smaller);
    }
    const etag = `"${Bun.hash(body).toString(36)}"`;
    assets.set(path, { body, encoded, type, etag, immutable: path.startsWith("/assets/") });
  }
  return assets;
}

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  } catch {
    return [];
  }
}
