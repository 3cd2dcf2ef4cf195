// Answers with images are as large as what callers send, and count as much: those that do not fit beside the others are refused while
// they are read, cost nothing, and leave nothing counted.
import { afterAll, afterEach, expect, test } from "bun:test";
import {
  at,
  expectCleanBooks,
  openAccount,
  postJson,
  readJson,
  readMoney,
  startTestServer,
} from "../harness/index.ts";

const mebibyte = 1024 * 1024;
/** The least that may be set. An account has half of it, and an answer counts three times. */
const memoryMebibytes = 512;

const upstream = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const { prompt, n, stream }: Record<string, unknown> = Object(await request.json());
    const b64_json = "A".repeat(Number(/\d+$/.exec(String(prompt))?.[0]) * mebibyte);
    const data = Array.from({ length: Number(n) }, () => ({ b64_json }));
    if (stream !== true) return Response.json({ created: 1, data });
    const event = `data: ${JSON.stringify({ type: "image_generation.completed", b64_json })}\n\n`;
    const headers = { "content-type": "text/event-stream" };
    return new Response(event.repeat(data.length), { headers });
  },
});

const catalog = () => `
providers:
  - { id: own, baseUrl: "http://127.0.0.1:${upstream.port}/v1" }
models:
  - id: test/large
    operation: image
    maxImages: 3
    routes: [{ provider: own, model: upstream-large }]
    prices: { image: "0.04" }
`;

const server = await startTestServer({
  catalog,
  environment: { BODY_MEMORY_MIB: String(memoryMebibytes) },
});
afterAll(async () => {
  await server.close();
  await upstream.stop(true);
});
afterEach(() => expectCleanBooks(server));

const draw = (key: string, mebibytes: number, fields: object = {}) =>
  postJson(server, key, "/images/generations", {
    model: "test/large",
    prompt: `images of ${mebibytes}`,
    ...fields,
  });

test("an image for which there is no memory is refused, costs nothing and is not to be retried", async () => {
  const account = await openAccount(server);
  const response = await draw(account.key, 30, { n: 3 });
  expect(response.status).toBe(503);
  expect(response.headers.get("x-should-retry")).toBe("false");
  expect(at(await readJson(response), "error.message")).toContain("the answers of running calls");
  expect(await readMoney(server, account.id)).toMatchObject({ balanceNanos: 10_000_000_000n });
});

test("a stream that has no memory for its image ends with the same refusal", async () => {
  const account = await openAccount(server);
  const response = await draw(account.key, 30, { n: 3, stream: true });
  expect(await response.text()).toContain("the answers of running calls");
  expect(await readMoney(server, account.id)).toMatchObject({ balanceNanos: 10_000_000_000n });
});

test("what has ended no longer counts: images that fit are answered again and again", async () => {
  const account = await openAccount(server);
  for (const stream of [false, true, false, true]) {
    const response = await draw(account.key, 30, { stream });
    expect(response.status).toBe(200);
    expect((await response.text()).length).toBeGreaterThan(30 * mebibyte);
  }
});

test("of images that come together, as many as fit are answered", async () => {
  const accounts = await Promise.all(Array.from({ length: 4 }, () => openAccount(server)));
  const drawing = [...accounts, ...accounts].map(async ({ key }) => {
    const response = await draw(key, 30);
    await response.text();
    return response.status;
  });
  const statuses = await Promise.all(drawing);
  // Three times 30 MiB of 512 each.
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(5);
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
});
