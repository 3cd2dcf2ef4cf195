// `Idempotency-Key` of a stream that its upstream breaks off: everybody who waited for it gets the same broken
// end and one charge; a repetition that is sent later runs again and says so.
import { afterAll, afterEach, expect, test } from "bun:test";
import type { Script } from "@turnpike/testing";
import {
  expectCleanBooks,
  expectFault,
  openAccount,
  readMoney,
  scripted,
  scriptText,
  startTestServer,
  type TestAccount,
  testModels,
} from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";
import { drainTo, withdraw } from "../money/set-balance.ts";

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
type Endpoint = {
  readonly path: string;
  readonly bodyOf: (script: Script) => object;
};
const model = testModels.cheap;
const streamed = { stream: true, stream_options: { include_usage: true } };
const chat: Endpoint = {
  path: "/chat/completions",
  bodyOf: (script) => ({ model, ...streamed, messages: [scripted(script)] }),
};
const messagesOf = (name: string) => (script: Script) => ({
  model: name,
  stream: true,
  max_tokens: 50,
  messages: [scripted(script)],
});
const endpoints: readonly (readonly [name: string, endpoint: Endpoint])[] = [
  ["chat", chat],
  ["messages", { path: "/messages", bodyOf: messagesOf(model) }],
  ["messages passed through", { path: "/messages", bodyOf: messagesOf(testModels.anthropic) }],
  [
    "responses",
    {
      path: "/responses",
      bodyOf: (script) => ({ model, stream: true, input: scriptText(script) }),
    },
  ],
  [
    "completions",
    {
      path: "/completions",
      bodyOf: (script) => ({ model, ...streamed, prompt: scriptText(script) }),
    },
  ],
];
const broken: Script = { deltas: 5, errorAfterDeltas: 2 };

type Options = { readonly on?: typeof server; readonly path?: string; readonly as?: TestAccount };

function send(
  key: string,
  body: object,
  { on = server, path = chat.path, as = account }: Options = {},
): Promise<Response> {
  return fetch(`${on.baseUrl}${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${as.key}`,
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

test.each(endpoints)(
  "callers that wait for a stream of %s that breaks get its broken end, and it is charged once",
  async (name, { path, bodyOf }) => {
    const key = newKey();
    const tag = `breaks ${name}`;
    const body = bodyOf({ ...broken, headGate: true, tag });
    const run = await observe(async () => {
      const before = asked();
      const first = send(key, body, { path });
      await eventually("the upstream call", async () => asked() > before);
      const joined = [server, twin, twin, server].map((on) => send(key, body, { on, path }));
      await eventually("them to wait", async () => {
        return (await inFlight(server)) === 3 && (await inFlight(twin)) === 2;
      });
      server.upstream.open(tag);
      const answers = await Promise.all([first, ...joined]);
      const texts = await Promise.all(answers.map((answer) => answer.text()));
      expect(texts[0]).toMatch(/"error"|response\.failed/);
      expect(new Set(texts).size).toBe(1);
      const header = (name: string) => answers.map(({ headers }) => headers.get(name));
      expect(header("idempotent-replayed")).toEqual([null, "true", "true", "true", "true"]);
      expect(new Set(header("x-generation-id")).size).toBe(1);
    });
    expect(run.calls).toBe(1);
    expect(run.costNanos).toBeGreaterThan(0n);
    const again = await observe(async () => {
      await (await send(newKey(), body, { path })).text();
    });
    expect(again).toEqual(run);
  },
);

const repetitions = endpoints.flatMap(([name, endpoint]) => [
  [name, "on the same instance", endpoint, server] as const,
  [name, "on another instance", endpoint, twin] as const,
]);

test.each(repetitions)(
  "a stream of %s that broke runs again when it is repeated later %s, and says so",
  async (_name, _where, { path, bodyOf }, on) => {
    const key = newKey();
    const body = bodyOf(broken);
    const first = await send(key, body, { path });
    await first.text();
    await server.services.idempotentCalls.settled();
    expect(first.headers.get("idempotent-rerun-of")).toBeNull();
    const run = await observe(async () => {
      const again = await send(key, body, { on, path });
      expect(again.headers.get("idempotent-replayed")).toBeNull();
      expect(again.headers.get("idempotent-rerun-of")).toBe(first.headers.get("x-generation-id"));
      expect(again.headers.get("x-generation-id")).not.toBe(first.headers.get("x-generation-id"));
      await again.text();
    });
    expect(run.calls).toBe(1);
  },
);

const insufficient = { status: 402, type: "insufficient_quota", code: "insufficient_quota" };

test("a repetition that is refused is no rerun: a later one still says what it runs again", async () => {
  const poor = await openAccount(server, { usd: "0.01" });
  const key = newKey();
  const body = chat.bodyOf(broken);
  const first = await send(key, body, { as: poor });
  await first.text();
  await server.services.idempotentCalls.settled();
  const id = first.headers.get("x-generation-id");
  await drainTo(server, poor.id, 0n);
  for (const on of [server, twin]) {
    await expectFault(await send(key, body, { as: poor, on }), insufficient);
  }
  await withdraw(server, poor.id, -10_000_000n);
  const again = await send(key, body, { as: poor });
  await again.text();
  await server.services.idempotentCalls.settled();
  expect(again.headers.get("idempotent-rerun-of")).toBe(id);
  expect(again.headers.get("x-generation-id")).not.toBe(id);
  const third = await send(key, body, { as: poor });
  await third.text();
  expect(third.headers.get("idempotent-rerun-of")).toBe(again.headers.get("x-generation-id"));
});
