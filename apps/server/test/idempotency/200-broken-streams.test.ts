// `Idempotency-Key` of a stream that its upstream breaks off: everybody who waited for it gets the same broken
// end and one charge; a repetition that is sent later runs again and says so.
import { afterAll, afterEach, expect, test } from "bun:test";
import {
  chatBody,
  expectCleanBooks,
  openAccount,
  readMoney,
  startTestServer,
} from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";

const server = await startTestServer();
const twin = await startTestServer({ site: server });
const account = await openAccount(server);
afterEach(() => expectCleanBooks(server));
afterAll(async () => {
  await twin.close();
  await server.close();
});

let keys = 0;
const newKey = () => {
  keys += 1;
  return `key ${keys}`;
};
const streamed = { stream: true, stream_options: { include_usage: true } };

function send(key: string, body: object, { on = server } = {}): Promise<Response> {
  return fetch(`${on.baseUrl}/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${account.key}`,
      "content-type": "application/json",
      "idempotency-key": key,
    },
    body: JSON.stringify(body),
  });
}

const asked = () => server.upstream.requests.length;
const balance = async () => (await readMoney(server, account.id)).balanceNanos;

/** The number of upstream calls that `run` caused, and what it cost. */
async function observe(run: () => Promise<void>) {
  const before = { asked: asked(), balanceNanos: await balance() };
  await run();
  return { calls: asked() - before.asked, costNanos: before.balanceNanos - (await balance()) };
}

const inFlight = async ({ services }: typeof server) =>
  Number(/^turnpike_in_flight (\d+)/m.exec((await services.metrics.expose()).body)?.[1]);

test("callers that wait for a stream that breaks get its broken end, and it is charged once", async () => {
  const key = newKey();
  const tag = "breaks";
  const body = chatBody({ deltas: 5, errorAfterDeltas: 2, gate: true, tag }, streamed);
  const run = await observe(async () => {
    const before = asked();
    const others = { server: await inFlight(server), twin: await inFlight(twin) };
    const first = send(key, body);
    await eventually("the upstream call", async () => asked() > before);
    const joined = [server, twin, twin, server].map((on) => send(key, body, { on }));
    await eventually("them to wait", async () => {
      const running = { server: await inFlight(server), twin: await inFlight(twin) };
      return running.server === others.server + 3 && running.twin === others.twin + 2;
    });
    server.upstream.open(tag);
    const answers = await Promise.all([first, ...joined]);
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    expect(texts[0]).toContain('"error"');
    expect(new Set(texts).size).toBe(1);
    const header = (name: string) => answers.map(({ headers }) => headers.get(name));
    expect(header("idempotent-replayed")).toEqual([null, "true", "true", "true", "true"]);
    expect(new Set(header("x-generation-id")).size).toBe(1);
  });
  expect(run.calls).toBe(1);
  expect(run.costNanos).toBeGreaterThan(0n);
  const again = await observe(async () => {
    await (await send(newKey(), body)).text();
  });
  expect(again).toEqual(run);
});

test.each([
  ["on the same instance", server],
  ["on another instance", twin],
])("a stream that broke runs again when it is repeated later %s, and says so", async (_, on) => {
  const key = newKey();
  const body = chatBody({ deltas: 5, errorAfterDeltas: 2 }, streamed);
  const first = await send(key, body);
  expect(await first.text()).toContain('"error"');
  expect(first.headers.get("idempotent-rerun-of")).toBeNull();
  const run = await observe(async () => {
    const again = await send(key, body, { on });
    expect(again.headers.get("idempotent-replayed")).toBeNull();
    expect(again.headers.get("idempotent-rerun-of")).toBe(first.headers.get("x-generation-id"));
    expect(again.headers.get("x-generation-id")).not.toBe(first.headers.get("x-generation-id"));
    await again.text();
  });
  expect(run.calls).toBe(1);
});
