import { afterAll, expect, test } from "bun:test";
import { once } from "node:events";
import { readConfig } from "../../config.ts";
import { hotReloadSockets, joinHotReload, proxyConsole } from "./proxy-console.ts";

// Replaces Vite: answers with the request it got, and echoes over its socket.
const vite = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch(request, server) {
    const protocol = request.headers.get("sec-websocket-protocol");
    if (protocol && server.upgrade(request, { headers: { "sec-websocket-protocol": protocol } })) {
      return undefined;
    }
    const { pathname, search } = new URL(request.url);
    const cookie = request.headers.get("cookie") ?? "none";
    const body = Bun.gzipSync(Buffer.from(`${pathname}${search} cookie=${cookie}`));
    return new Response(body, { headers: { "content-encoding": "gzip" } });
  },
  websocket: { message: (socket, message) => void socket.send(`vite received ${message}`) },
});
const viteUrl = `http://127.0.0.1:${vite.port}`;
const config = readConfig({ DATABASE_URL: "postgres://u:p@localhost:5432/t" });

const ours = "http://console.test";
const upgrade = joinHotReload(viteUrl, () => [ours]);
/** Bun's own, which takes headers. */
const openSocket = (headers: Record<string, string>) =>
  new WebSocket(`ws://127.0.0.1:${front.port}/?token=x`, {
    protocols: ["vite-hmr"],
    headers,
  });
const console = proxyConsole(config, viteUrl);
const front = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  development: false,
  error: () => new Response(null, { status: 403 }),
  websocket: hotReloadSockets,
  async fetch(request, server) {
    if (upgrade(request, server)) return undefined;
    return (await console(request)) ?? new Response("not the console", { status: 404 });
  },
});

afterAll(async () => {
  await front.stop(true);
  await vite.stop(true);
});

test("pages and modules come from Vite, decoded, under the policy of production, without cookies", async () => {
  const answer = await fetch(`${front.url}src/main.tsx?t=1`, { headers: { cookie: "secret=1" } });
  expect(await answer.text()).toBe("/src/main.tsx?t=1 cookie=none");
  expect(answer.headers.get("content-security-policy")).toContain("script-src 'self'");
});

test("paths of the API never reach Vite", async () => {
  for (const path of ["v1/models", "trpc/auth.me", "dev/mail"]) {
    expect(await (await fetch(`${front.url}${path}`)).text()).toBe("not the console");
  }
});

test("a program that omitted /v1 gets no page; a browser gets the page called /models", async () => {
  for (const path of ["models", "models/test/cheap", "credits", "key", "generation?id=gen-1"]) {
    expect(await (await fetch(`${front.url}${path}`)).text()).toBe("not the console");
  }
  const page = await fetch(`${front.url}models`, { headers: { accept: "text/html" } });
  expect(await page.text()).toBe("/models cookie=none");
});

test("the hot-reload socket passes through, including what is sent before Vite has answered", async () => {
  const socket = openSocket({ origin: ours });
  await once(socket, "open");
  socket.send("hello");
  const [event] = await once(socket, "message");
  expect(event.data).toBe("vite received hello");
  expect(socket.protocol).toBe("vite-hmr");
  const closed = once(socket, "close");
  await vite.stop(true);
  await closed;
});

test.each([
  ["another site", { origin: "http://evil.test" }],
  ["another port", { origin: `${ours}:81` }],
  ["a sandboxed frame", { origin: "null" }],
  ["no page", {}],
])("the hot-reload socket is refused to %s", async (_, headers) => {
  const opened = Promise.withResolvers<string>();
  const socket = openSocket(headers);
  socket.addEventListener("open", () => opened.resolve("opened"));
  socket.addEventListener("close", () => opened.resolve("refused"));
  expect(await opened.promise).toBe("refused");
});

test("any other socket is not upgraded", () => {
  const request = new Request("http://localhost:3000/", {
    headers: { upgrade: "websocket", "sec-websocket-protocol": "chat" },
  });
  expect(upgrade(request, front)).toBe(false);
});
