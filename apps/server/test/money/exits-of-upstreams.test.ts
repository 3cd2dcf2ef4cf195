// The rows of docs/billing.md in which the upstream decides how an answer ends: what it reported,
// what it omitted, what it invented, and where it broke.
import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
  setDefaultTimeout,
  spyOn,
  test,
} from "bun:test";
import { streamLimits, wholeLimits } from "@turnpike/providers";
import type { Script } from "@turnpike/testing";
import {
  at,
  expectCleanBooks,
  getPath,
  type JsonObject,
  openAccount,
  readJson,
  readMoney,
  scripted,
  startTestServer,
  type TestAccount,
  type TestServer,
} from "../harness/index.ts";
import { askChat, type Received } from "./ask-chat.ts";
import {
  contextTokens,
  deadModel,
  nanosOf,
  oddCatalog,
  oddModel,
  priceOf,
  visionModel,
} from "./odd-prices.ts";
import { awaitRequest, type RequestRow } from "./read-requests.ts";

setDefaultTimeout(180_000);

/** Long enough for a busy machine, short enough for a test. */
const silentMs = 1_500;

let server: TestServer;
let account: TestAccount;
let calls = 0;

beforeAll(async () => {
  server = await startTestServer({
    catalog: oddCatalog,
    limits: {
      stream: { ...streamLimits, firstByteMs: silentMs, interChunkMs: silentMs },
      whole: { ...wholeLimits, firstByteMs: silentMs },
    },
  });
  account = await openAccount(server);
});
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

type Exit = { received: Received; row: RequestRow; sentTokens: number; reported: unknown };

/** `parts` follow the text of the user's message. */
async function call(
  script: Script,
  fields: JsonObject = {},
  parts: readonly JsonObject[] = [],
): Promise<Exit> {
  calls += 1;
  const name = `exit-${calls}`;
  const message = scripted({ tag: name, ...script });
  const content = [{ type: "text", text: message.content }, ...parts];
  const messages = [parts.length === 0 ? message : { ...message, content }];
  const body = { model: oddModel, messages, max_tokens: 100, ...fields };
  const received = await askChat(server, { key: account.key, name, body });
  const row = await awaitRequest(server, name);
  const sent = server.upstream.requests.find((request) => request.tag === name);
  const sentTokens = sent?.delivered.tokens ?? 0;
  return { received, row, sentTokens, reported: sent?.delivered.usage };
}

const streamed = { stream: true, stream_options: { include_usage: true } };
const shapes = [
  { shape: "a whole answer", fields: {} },
  { shape: "a stream", fields: streamed },
];

function costOf({
  promptTokens: prompt,
  completionTokens: completion,
  cachedTokens: cached,
}: RequestRow) {
  return priceOf({ prompt, completion, cached });
}

function expectFree({ row }: Exit): void {
  expect(row).toMatchObject({ state: "released", chargedNanos: 0n, shortfallNanos: 0n });
  expect(row.usageSource).toBe("none");
}

describe.each(shapes)("$shape", ({ fields }) => {
  test("that completes with usage costs what was reported", async () => {
    const exit = await call({ deltas: 7, reasoning: 2, cachedTokens: 5 }, fields);
    expect(exit.received.complete).toBe(true);
    const prompt = Number(at(exit.reported, "prompt_tokens"));
    expect(prompt).toBeGreaterThan(5);
    const cost = priceOf({ prompt, completion: 9, cached: 5 });
    expect(exit.row).toMatchObject({
      state: "settled",
      usageSource: "upstream",
      chargedNanos: cost,
    });
    expect(nanosOf(exit.received.usage?.cost)).toBe(cost);
  });

  test("that writes to a cache pays for that at its own rate", async () => {
    const usage = {
      prompt_tokens: 90,
      completion_tokens: 3,
      prompt_tokens_details: { cached_tokens: 20, cache_write_tokens: 30 },
    };
    const { row } = await call({ deltas: 3, usage }, fields);
    const cost = priceOf({ prompt: 90, completion: 3, cached: 20, cacheWrite: 30 });
    expect(row.chargedNanos).toBe(cost);
  });

  test("that completes without usage is counted, and reports that", async () => {
    const exit = await call({ deltas: 12, usage: "missing" }, fields);
    expect(exit.received.complete).toBe(true);
    expect(exit.row).toMatchObject({ usageSource: "counted", completionTokens: 12 });
    expect(exit.row.promptTokens).toBeGreaterThan(10);
    expect(exit.row.chargedNanos).toBe(costOf(exit.row));
    expect(nanosOf(exit.received.usage?.cost)).toBe(exit.row.chargedNanos);
    const generation = await getPath(server, account.key, `/generation?id=${exit.row.id}`);
    expect(at(await readJson(generation), "data.usage_source")).toBe("counted");
  });

  test("whose usage is zero costs nothing, and is settled as such", async () => {
    const exit = await call({ deltas: 12, usage: "zero" }, fields);
    expect(exit.received.usage).toMatchObject({ prompt_tokens: 0, completion_tokens: 0, cost: 0 });
    expect(exit.row).toMatchObject({ state: "settled", usageSource: "upstream", chargedNanos: 0n });
  });

  test.each(["negative", "float", "string", "null"] as const)(
    "whose usage is %s is counted as if there were none",
    async (usage) => {
      const exit = await call({ deltas: 12, usage }, fields);
      expect(exit.received.complete).toBe(true);
      expect(exit.row).toMatchObject({ usageSource: "counted", completionTokens: 12 });
      expect(exit.row.chargedNanos).toBe(costOf(exit.row));
    },
  );

  test.each([
    { prompt_tokens: contextTokens + 1, completion_tokens: 12 },
    { prompt_tokens: 900_000, completion_tokens: 12, prompt_tokens_details: { cached_tokens: 7 } },
    { prompt_tokens: 50, completion_tokens: contextTokens + 1 },
    { prompt_tokens: 50, completion_tokens: 1e15 },
  ])(
    "whose usage exceeds the model's context is billed up to the context and the reservation, and logged: %o",
    async (usage) => {
      using warned = spyOn(server.services.gateway.log, "warn");
      const exit = await call({ deltas: 12, usage }, fields);
      expect(exit.received.complete).toBe(true);
      const prompt = Math.min(usage.prompt_tokens, contextTokens);
      const completion = Math.min(usage.completion_tokens, contextTokens);
      expect(exit.row).toMatchObject({
        usageSource: "upstream",
        promptTokens: prompt,
        completionTokens: completion,
      });
      const cost = costOf(exit.row);
      expect(exit.row.chargedNanos).toBe(exit.row.heldNanos);
      expect(exit.row.shortfallNanos).toBe(cost - exit.row.heldNanos);
      expect(at(exit.received.usage, "completion_tokens")).toBe(completion);
      expect(warned).toHaveBeenCalledWith(
        expect.objectContaining({
          model: oddModel,
          contextTokens,
          usage: expect.objectContaining({ promptTokens: usage.prompt_tokens }),
        }),
        "reported usage exceeds the context: billed up to the context",
      );
    },
  );

  test("with a file that is longer than the context costs the whole context", async () => {
    const data = "data:application/pdf;base64,JVBERi0=";
    const file = { type: "file", file: { filename: "a.pdf", file_data: data } };
    const usage = { prompt_tokens: 900_000, completion_tokens: 12 };
    const exit = await call({ deltas: 12, usage }, { ...fields, model: visionModel }, [file]);
    expect(exit.row).toMatchObject({ usageSource: "upstream", promptTokens: contextTokens });
    expect(exit.row.chargedNanos).toBe(priceOf({ prompt: contextTokens, completion: 12 }));
    expect(exit.row.shortfallNanos).toBe(0n);
  });

  test("that reports usage twice costs what it reported last", async () => {
    const exit = await call({ deltas: 12, usage: "twice" }, fields);
    expect(exit.row).toMatchObject({ usageSource: "upstream", completionTokens: 12 });
    expect(exit.row.chargedNanos).toBe(costOf(exit.row));
  });

  test("whose usage is more than was held costs what was held; the rest is shortfall", async () => {
    const usage = { prompt_tokens: 50, completion_tokens: contextTokens };
    const exit = await call({ deltas: 3, usage }, fields);
    expect(exit.received.complete).toBe(true);
    expect(exit.row.chargedNanos).toBe(exit.row.heldNanos);
    const cost = priceOf({ prompt: 50, completion: contextTokens });
    expect(exit.row.shortfallNanos).toBe(cost - exit.row.heldNanos);
    expect(nanosOf(exit.received.usage?.cost)).toBe(exit.row.chargedNanos);
  });

  test.each([
    { how: "429", script: { status: 429 }, status: 429 },
    { how: "500", script: { status: 500 }, status: 502 },
    { how: "401", script: { status: 401 }, status: 502 },
    { how: "an error in a 200", script: { error: "no capacity" }, status: 502 },
    { how: "a connection cut in the head", script: { cutInHead: 10 }, status: 502 },
  ])("refused before its first byte by $how costs nothing", async ({ script, status }) => {
    const exit = await call(script, fields);
    expect(exit.received.status).toBe(status);
    expectFree(exit);
  });

  test("whose upstream cannot be reached costs nothing", async () => {
    const exit = await call({}, { ...fields, model: deadModel });
    expect(exit.received.status).toBe(502);
    expectFree(exit);
  });

  test("whose upstream is silent past its deadline costs nothing", async () => {
    const exit = await call({ firstByteMs: 60_000 }, fields);
    expect(exit.received.status).toBe(504);
    expectFree(exit);
  });
});

test("a whole answer that breaks off costs nothing, because nothing of it was delivered", async () => {
  const exit = await call({ deltas: 30, ending: "cut" });
  expect(exit.received.status).toBe(502);
  expectFree(exit);
});

test.each([
  { breaks: "ends with an error", script: { errorAfterDeltas: 8 } },
  { breaks: "is cut", script: { cutAfterDeltas: 8 } },
  { breaks: "goes silent past its deadline", script: { stallAfterDeltas: 8 } },
])("a stream that $breaks is billed for what was relayed", async ({ script }) => {
  const exit = await call({ deltas: 30, paceMs: 2, ...script }, streamed);
  const { status, complete, tokens, error } = exit.received;
  expect({ status, complete }).toEqual({ status: 200, complete: false });
  expect(error).toBeDefined();
  expect(exit.row).toMatchObject({ outcome: "upstream_failed", usageSource: "counted" });
  expect(exit.row.completionTokens).toBe(tokens);
  expect(tokens).toBeGreaterThan(4);
  expect(tokens).toBeLessThanOrEqual(exit.sentTokens);
  expect(exit.row.chargedNanos).toBe(costOf(exit.row));
});

test.each(["reasoning_content", "reasoning", "reasoning_details"] as const)(
  "a stream that is cut after %s of 30 tokens is billed for them",
  async (reasoningField) => {
    const script = { reasoning: 40, reasoningField, paceMs: 2, cutAfterDeltas: 30 };
    const exit = await call(script, streamed);
    expect(exit.received.complete).toBe(false);
    expect(exit.row).toMatchObject({ usageSource: "counted", completionTokens: 30 });
    expect(exit.row.chargedNanos).toBe(costOf(exit.row));
  },
);

test("an upstream that writes past its limit is ended, and billed within the hold", async () => {
  const endless = { endless: true, ignoreLimit: true, paceMs: 1 };
  const exit = await call(endless, { ...streamed, max_tokens: 20 });
  expect(exit.received.complete).toBe(false);
  expect(exit.received.error).toMatchObject({ code: "bad_gateway" });
  expect(exit.sentTokens).toBeGreaterThan(20);
  expect(exit.received.tokens).toBe(20);
  expect(exit.row).toMatchObject({ completionTokens: 20, shortfallNanos: 0n });
  expect(exit.row.chargedNanos).toBe(costOf(exit.row));
  expect(exit.row.chargedNanos).toBeLessThanOrEqual(exit.row.heldNanos);
});

test("the sum of all these costs is what the account paid", async () => {
  const [row] = await server.owner.sql<{ spent: string }[]>`
    select sum(charged_nanos)::text as spent from requests where account_id = ${account.id}`;
  const { balanceNanos } = await readMoney(server, account.id);
  expect(BigInt(row?.spent ?? 0) + balanceNanos).toBe(10_000_000_000n);
});

test("deltas of several words are billed by their text, even from a provider that sends single tokens", async () => {
  // Ten deltas, without blanks between words at which a delta could be split.
  const text =
    `${"ferryman-counted-twelve-lamps-and-paid-for-the-last-one-himself-tonight "}`.repeat(10);
  const exit = await call({ text, usage: "missing", finish: "stop" }, streamed);
  expect(exit.received.complete).toBe(true);
  expect(exit.row).toMatchObject({ usageSource: "counted" });
  // Four bytes a token, as for every estimate; ten would be one per delta.
  expect(exit.row.completionTokens).toBeGreaterThanOrEqual(text.length / 4);
  expect(exit.row.completionTokens).toBeLessThan(text.length / 3);
});
