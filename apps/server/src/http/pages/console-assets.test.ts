import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../../config.ts";
import type { ServeConsole } from "../routes/unknown-url.ts";
import { createConsoleAssets } from "./console-assets.ts";

let folder: string;
let serve: ServeConsole;

const config = (publicUrl: string) =>
  readConfig({ DATABASE_URL: "postgres://u:p@localhost:5432/t", PUBLIC_URL: publicUrl });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "console-"));
  mkdirSync(join(folder, "assets"));
  mkdirSync(join(folder, ".vite"));
  writeFileSync(join(folder, "index.html"), "<!doctype html>the page");
  writeFileSync(join(folder, "theme.js"), "theme()");
  writeFileSync(join(folder, "assets/index-abc.js"), "app()");
  writeFileSync(join(folder, "assets/index-abc.js.br"), "brotli");
  writeFileSync(join(folder, "assets/index-abc.js.gz"), "gzip");
  writeFileSync(join(folder, ".vite/manifest.json"), "{}");
  const opened = createConsoleAssets(config("https://turnpike.example"), folder);
  if (!opened) throw new Error("the folder has an index.html");
  serve = opened;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function get(path: string, headers: Record<string, string> = {}, method = "GET") {
  return serve(new Request(`http://localhost:3000${path}`, { method, headers }));
}
const navigation = { accept: "text/html,application/xhtml+xml" };

test("every page of the console is index.html, revalidated each time", async () => {
  for (const path of ["/", "/keys", "/models/openai/gpt-4o-mini", "/nowhere"]) {
    const answer = await get(path, navigation);
    expect([path, await answer?.text()]).toEqual([path, "<!doctype html>the page"]);
    expect(answer?.headers.get("cache-control")).toBe("no-cache");
  }
});

test("the front page is served to every client, including monitors and link previews", async () => {
  for (const headers of [{}, { accept: "*/*" }]) {
    expect(await (await get("/", headers))?.text()).toBe("<!doctype html>the page");
  }
});

test("files named by their content are kept for a year, in the encoding that the client accepts", async () => {
  const path = "/assets/index-abc.js";
  const plain = await get(path);
  expect(await plain?.text()).toBe("app()");
  expect(plain?.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(plain?.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  const best = await get(path, { "accept-encoding": "gzip, deflate, br" });
  expect([await best?.text(), best?.headers.get("content-encoding")]).toEqual(["brotli", "br"]);
  const refused = await get(path, { "accept-encoding": "gzip, br;q=0" });
  expect(refused?.headers.get("content-encoding")).toBe("gzip");
  expect(refused?.headers.get("vary")).toBe("Accept-Encoding");
});

test("a file that did not change is not sent again", async () => {
  const etag = (await get("/theme.js"))?.headers.get("etag") ?? "";
  const again = await get("/theme.js", { "if-none-match": etag });
  expect(again?.status).toBe(304);
  expect(await again?.text()).toBe("");
});

test("paths of the API, of programs or of no route are never answered with the console", async () => {
  const api = [
    "/v1/nope",
    "/v1",
    "/trpc/x",
    "/stripe/webhook",
    "/console/x",
    "/dev/mail",
    "/metrics",
  ];
  for (const path of [...api, "/livez", "/readyz"])
    expect(await get(path, navigation)).toBeUndefined();
  expect(await get("/keys", navigation, "POST")).toBeUndefined();
  expect(await get("/chat/completions", { accept: "application/json" })).toBeUndefined();
  expect(await get("/assets/index-old.js", { accept: "*/*" })).toBeUndefined();
  const hidden = ["/.vite/manifest.json", "/assets/..%2f.vite/manifest.json", "/../package.json"];
  for (const path of hidden) expect(await get(path, { accept: "*/*" })).toBeUndefined();
});

test("SEC-1 pages allow no inline script, no other origin and no frame, and report what they refuse", async () => {
  const headers = (await get("/", navigation))?.headers;
  const policy = headers?.get("content-security-policy") ?? "";
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("style-src-elem 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
  expect(policy).toContain("report-uri /console/csp-report");
  expect(headers?.get("x-content-type-options")).toBe("nosniff");
  expect(headers?.get("referrer-policy")).toBe("same-origin");
});

test("without a build there is no console", () => {
  expect(
    createConsoleAssets(config("http://localhost:3000"), join(folder, "nothing")),
  ).toBeUndefined();
});
