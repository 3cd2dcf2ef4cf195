// An upstream that accepts a call and never answers is given up in time for another route, in every protocol, also when
// comments have told the client to wait; only the route that answered is paid for.
import { describe, expect, test } from "bun:test";
import { type AccountId, newId } from "@turnpike/base";
import { completions } from "../compatibility/completions.fixture.ts";
import {
  type ClientProtocol,
  chat,
  messages,
  responses,
} from "../compatibility/protocols.fixture.ts";
import {
  asObject,
  at,
  expectCleanBooks,
  type JsonObject,
  openAccount,
  readMoney,
  usdNumber,
} from "../harness/index.ts";
import {
  askRouted,
  countRequests,
  readGeneration,
  routed,
  scriptAll,
  startRoutedServer,
  useRoutedServer,
} from "./start-routed-server.ts";

/** Answers nothing until its tag is opened. */
const silentAs = (tag: string) => ({ headGate: true, deltas: 2, tag });

const models = {
  /** Routes a, with the 200 ms of its provider, and b with its own. */
  silent: "test/silent",
  /** Whole answers of a may take ten minutes, although its provider has 200 ms. */
  patient: "test/patient",
  /** Route c has 200 ms, although its model has ten minutes. */
  impatient: "test/impatient",
  /** Routes c and b of a model that reasons, c without a timeout. */
  thinking: "test/thinking",
  vectors: "test/vectors",
} as const;

function editCatalog(catalog: string): string {
  const facts =
    'contextTokens: 10000, maxOutputTokens: 1000, prices: { input: "0.10", output: "0.40" }';
  const bounded = "firstByteTimeoutMs: 200";
  const tenMinutes = 600_000;
  return `${catalog.replace("key-of-a-0123456789 }", `key-of-a-0123456789, ${bounded} }`)}
  - { id: ${models.silent}, ${facts}, routes: [{ provider: a, model: s }, { provider: b, model: s, ${bounded} }] }
  - { id: ${models.patient}, ${facts}, firstByteTimeoutMs: { whole: ${tenMinutes} }, routes: [
      { provider: a, model: p }, { provider: c, model: p }] }
  - { id: ${models.impatient}, ${facts}, firstByteTimeoutMs: ${tenMinutes}, routes: [
      { provider: c, model: i, ${bounded} }, { provider: b, model: i }] }
  - { id: ${models.thinking}, ${facts}, capabilities: [reasoning], routes: [
      { provider: c, model: t }, { provider: b, model: t }] }
  - { id: ${models.vectors}, operation: embeddings, contextTokens: 1000, dimensions: 256, prices: { input: "0.10" },
      routes: [{ provider: a, model: v }, { provider: c, model: v }] }
`;
}

const times = { commitStreamMs: 50, keepAliveMs: 100, retryJitterMs: 5 };
const { server, account } = await useRoutedServer({ editCatalog, times });

const protocols = [chat, responses, messages, completions];
const cases = protocols.flatMap((protocol) =>
  [false, true].map((stream) => [protocol.name, stream, protocol] as const),
);

function ask(
  protocol: ClientProtocol,
  stream: boolean,
  model: string,
  fields: JsonObject = {},
): Promise<Response> {
  return fetch(`${server.baseUrl}${protocol.path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${account.key}`, "content-type": "application/json" },
    body: JSON.stringify({ ...protocol.ask(model, { text: "hello", stream }), ...fields }),
  });
}

/** Keep-alives of a stream: comments, or events that every client ignores. */
const keepAlive = /^(?:: keep-alive|event: ping)$/m;

test.each(cases)(
  "%s, stream %p: the second route answers, is recorded and is all that is paid for",
  async (_, stream, protocol) => {
    const tag = `silent ${protocol.name} ${stream}`;
    scriptAll(server, { a: silentAs(tag) });
    const before = await readMoney(server, account.id);
    const answer = await ask(protocol, stream, routed.abc);
    expect(answer.status).toBe(200);
    const text = await answer.text();
    if (stream) expect(text).toMatch(keepAlive);
    const reply = stream
      ? protocol.readStream(text)
      : protocol.readWhole(asObject(JSON.parse(text)));
    expect(reply).toMatchObject({ text: " tok tok", complete: true, failed: false });
    // On a busy machine it may be given up before it has read the request.
    const first = server.upstreams.a.requests.find((request) => request.tag === tag);
    if (first !== undefined) expect(await first.ended).toBe("gone");
    const generation = await readGeneration(server, account, answer);
    expect(generation).toMatchObject({
      provider_name: "b",
      attempts: [
        { provider: "a", error: "upstream_timeout" },
        { provider: "b", status: 200 },
      ],
    });
    const { balanceNanos } = await readMoney(server, account.id);
    const paidNanos = before.balanceNanos - balanceNanos;
    expect(paidNanos).toBeGreaterThan(0n);
    expect(generation.total_cost).toBe(usdNumber(paidNanos));
  },
);

test.each(cases)(
  "%s, stream %p: if no route answers, the error has the protocol's form and nothing is charged",
  async (_, stream, protocol) => {
    const silent = silentAs(`all silent ${protocol.name} ${stream}`);
    scriptAll(server, { a: silent, b: silent });
    const before = await readMoney(server, account.id);
    const answer = await ask(protocol, stream, models.silent);
    expect(answer.status).toBe(stream ? 200 : 504);
    const text = await answer.text();
    if (stream) {
      expect(text).toMatch(keepAlive);
      expect(protocol.readStream(text)).toMatchObject({ text: "", complete: false, failed: true });
    }
    expect(text).toContain("did not begin its answer within 0.2 s");
    expect(await readGeneration(server, account, answer)).toMatchObject({
      total_cost: 0,
      attempts: [
        { provider: "a", error: "upstream_timeout" },
        { provider: "b", error: "upstream_timeout" },
      ],
    });
    expect(await readMoney(server, account.id)).toEqual(before);
  },
);

test("embeddings go to the second route, too", async () => {
  scriptAll(server, { a: silentAs("silent vectors") });
  const answer = await fetch(`${server.baseUrl}/embeddings`, {
    method: "POST",
    headers: { authorization: `Bearer ${account.key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: models.vectors, input: "hello" }),
  });
  expect(answer.status).toBe(200);
  await answer.text();
  expect(await readGeneration(server, account, answer)).toMatchObject({
    attempts: [
      { provider: "a", error: "upstream_timeout" },
      { provider: "c", status: 200 },
    ],
  });
});

test("what a model states comes before its provider, for the kind of answer it states", async () => {
  scriptAll(server, { a: { deltas: 2, firstByteMs: 900, bodyMs: 900 } });
  const whole = await askRouted(server, account, { model: models.patient });
  await whole.text();
  expect(await readGeneration(server, account, whole)).toMatchObject({
    attempts: [{ provider: "a", status: 200 }],
  });
  const streamed = await askRouted(server, account, { model: models.patient, stream: true });
  await streamed.text();
  expect(await readGeneration(server, account, streamed)).toMatchObject({
    attempts: [{ provider: "a", error: "upstream_timeout" }, { provider: "c" }],
  });
});

test("what a route states comes before its model", async () => {
  scriptAll(server, { c: silentAs("silent route") });
  const answer = await askRouted(server, account, { model: models.impatient });
  await answer.text();
  expect(await readGeneration(server, account, answer)).toMatchObject({
    attempts: [
      { provider: "c", error: "upstream_timeout" },
      { provider: "b", status: 200 },
    ],
  });
});

describe("without a stated time", () => {
  const answered = { status: 200 };
  const givenUp = { error: "upstream_timeout" };

  test.each([false, true])(
    "stream %p: the default counts while another route is left, the last one has all the time, and a model that reasons too",
    async (stream) => {
      const hurried = await startRoutedServer({
        editCatalog,
        times: { ...times, giveUpStreamMs: 200, giveUpWholeMs: 200 },
      });
      try {
        const payer = await openAccount(hurried);
        const attemptsOf = async (fields: JsonObject) => {
          const answer = await askRouted(hurried, payer, { stream, ...fields });
          expect(answer.status).toBe(200);
          await answer.text();
          return at(await readGeneration(hurried, payer, answer), "attempts");
        };
        scriptAll(hurried, { b: { status: 503 }, c: { deltas: 2, firstByteMs: 900 } });
        const order = (...order: readonly string[]) => ({
          provider: { order, allow_fallbacks: false },
        });
        const [b, c] = [{ provider: "b" }, { provider: "c" }];
        expect(await attemptsOf(order("b", "c"))).toMatchObject([b, { ...c, ...answered }]);
        scriptAll(hurried, { c: { deltas: 2, firstByteMs: 900 } });
        expect(await attemptsOf({ model: models.thinking })).toMatchObject([{ ...c, ...answered }]);
        scriptAll(hurried, { c: silentAs("by default") });
        expect(await attemptsOf(order("c", "b"))).toMatchObject([
          { ...c, ...givenUp },
          { ...b, ...answered },
        ]);
        await expectCleanBooks(hurried);
      } finally {
        await hurried.close();
      }
    },
  );
});

test.each(protocols.map((protocol) => [protocol.name, protocol] as const))(
  "%s: another model of the request answers a stream that has begun with comments, under its own name",
  async (_, protocol) => {
    const silent = silentAs(`silent model ${protocol.name}`);
    scriptAll(server, { a: silent, b: silent });
    const answer = await ask(protocol, true, models.silent, { models: [models.silent, routed.c] });
    const text = await answer.text();
    expect(text).toMatch(keepAlive);
    expect(protocol.readStream(text)).toMatchObject({ complete: true, failed: false });
    const named = [...text.matchAll(/"model":"([^"]*)"/g)].map(([, name]) => name);
    expect(new Set(named)).toEqual(new Set([routed.c]));
    expect(await readGeneration(server, account, answer)).toMatchObject({
      model: routed.c,
      provider_name: "c",
    });
  },
);

test("a refusal after the first comments goes to the next route, as before them", async () => {
  const { upstreams } = server;
  scriptAll(server, { c: { status: 500, gate: true, tag: "refused late" } });
  const answer = await askRouted(server, account, { model: models.thinking, stream: true });
  // Its head came with the first comment.
  upstreams.c.open("refused late");
  const text = await answer.text();
  expect(text).toMatch(keepAlive);
  expect(chat.readStream(text)).toMatchObject({ complete: true, failed: false });
  expect(await readGeneration(server, account, answer)).toMatchObject({
    attempts: [
      { provider: "c", error: "bad_gateway" },
      { provider: "b", status: 200 },
    ],
  });
});

test("where the retry budget is used up, silent routes are given up as it fills, and no call fails", async () => {
  const { retryBudget } = server.services.gateway;
  scriptAll(server, { a: silentAs("silent for many") });
  while (retryBudget.spend(newId<AccountId>(), performance.now()));
  const counts = countRequests(server);
  const answers = await Promise.all(
    Array.from({ length: 5 }, () =>
      askRouted(server, account, { model: models.patient, stream: true }),
    ),
  );
  for (const answer of answers) {
    expect(chat.readStream(await answer.text())).toMatchObject({ complete: true });
  }
  expect(countRequests(server).c - counts.c).toBe(5);
});
