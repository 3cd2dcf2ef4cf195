// The bill over random requests: whatever the client, the upstream and the network do, a completed answer
// costs what the upstream reported, and a broken one costs what was delivered of it. An ordinary run sends two
// hundred; every way in which a call may end has its own test in the exits-*.test.ts beside this one.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { runsOf, type Script, searchTimeoutMs, type UpstreamRequest } from "@turnpike/testing";
import fc from "fast-check";
import {
  at,
  expectCleanBooks,
  getPath,
  openAccount,
  readJson,
  readMoney,
  scripted,
  startTestServer,
  type TestAccount,
  type TestServer,
  waitForSettled,
} from "../harness/index.ts";
import { askChat, type Leave, type Received } from "./ask-chat.ts";
import { nanosOf, oddCatalog, oddModel, priceOf } from "./odd-prices.ts";
import { type RequestRow, readRequests } from "./read-requests.ts";

setDefaultTimeout(searchTimeoutMs);

const cases = runsOf({ short: 200, long: 5_000 });
const atOnce = 16;
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));

type Plan = {
  readonly stream: boolean;
  readonly includeUsage: boolean;
  readonly choices: number;
  readonly script: Script;
  readonly leave: Leave | undefined;
};

const count = (max: number) => fc.nat({ max });

/** How the answer ends: mostly it arrives; else one side disconnects, at any point. */
const fates: fc.Arbitrary<{ script?: Script; leave?: Leave }> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  { weight: 2, arbitrary: count(4_000).map((afterBytes) => ({ leave: { afterBytes } })) },
  { weight: 2, arbitrary: count(120).map((afterMs) => ({ leave: { afterMs } })) },
  { arbitrary: count(40).map((cutAfterDeltas) => ({ script: { cutAfterDeltas } })), weight: 1 },
  { arbitrary: count(40).map((resetAfterDeltas) => ({ script: { resetAfterDeltas } })), weight: 1 },
  { arbitrary: count(6_000).map((cutAfterBytes) => ({ script: { cutAfterBytes } })), weight: 1 },
  {
    arbitrary: count(6_000).map((resetAfterBytes) => ({ script: { resetAfterBytes } })),
    weight: 1,
  },
  { arbitrary: count(40).map((errorAfterDeltas) => ({ script: { errorAfterDeltas } })), weight: 1 },
);

const plans: fc.Arbitrary<Plan> = fc
  .record({
    stream: fc.boolean(),
    includeUsage: fc.boolean(),
    choices: fc.integer({ min: 1, max: 2 }),
    fate: fates,
    script: fc.record({
      deltas: count(40),
      reasoning: count(4),
      cachedTokens: count(30),
      paceMs: count(4),
      usage: fc.constantFrom("right", "right", "right", "missing", "null", "twice"),
      usageOnFinish: fc.boolean(),
    }),
  })
  .map(({ fate, script, ...plan }) => ({
    ...plan,
    script: { ...script, ...fate.script },
    leave: fate.leave,
  }));

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ catalog: oddCatalog });
});
afterAll(() => server.close());

async function follow(plan: Plan, index: number, account: TestAccount): Promise<Received> {
  const { stream, choices, includeUsage, leave } = plan;
  const name = `case-${index}`;
  return askChat(server, {
    key: account.key,
    name,
    body: {
      model: oddModel,
      messages: [scripted({ ...plan.script, tag: name })],
      n: choices,
      stream,
      ...(stream && { stream_options: { include_usage: includeUsage } }),
    },
    ...(leave && { leave }),
  });
}

/** Independent of the server: the last usage the upstream was able to report. */
function billOf(reported: unknown): bigint {
  const count = (path: string) => Number(at(reported, path) ?? 0);
  const prompt = count("prompt_tokens");
  const cached = Math.min(count("prompt_tokens_details.cached_tokens"), prompt);
  return priceOf({ prompt, cached, completion: count("completion_tokens") });
}

function checkCompleted(plan: Plan, received: Received, row: RequestRow, sent: UpstreamRequest) {
  expect(row.outcome).toBe("completed");
  const { usage, tokens } = sent.delivered;
  // A reset discards what the gateway has not read yet: possibly all that followed the last token.
  const isUsageLost = plan.script.resetAfterBytes !== undefined && row.usageSource === "counted";
  if (!isUsageLost) expect(row.usageSource).toBe(usage ? "upstream" : "counted");
  if (row.usageSource === "upstream") expect(row.chargedNanos).toBe(billOf(usage));
  else expect(row.completionTokens).toBe(tokens);
  expect(received.tokens).toBe(tokens);
  const shown = !plan.stream || plan.includeUsage;
  expect(received.usage !== undefined).toBe(shown);
  if (shown) expect(nanosOf(received.usage?.cost)).toBe(row.chargedNanos);
}

function checkBroken(received: Received, row: RequestRow, sent: UpstreamRequest | undefined) {
  if (row.usageSource === "upstream") {
    expect(row.chargedNanos).toBe(billOf(sent?.delivered.usage));
    return;
  }
  if (row.usageSource === "estimated") {
    // A whole answer whose client disconnected and whose upstream reported no usage.
    expect(sent?.chat.stream).toBe(false);
    expect(row.completionTokens).toBeGreaterThanOrEqual(sent?.delivered.tokens ?? 0);
    expect(row.chargedNanos).toBeLessThanOrEqual(row.heldNanos);
    return;
  }
  expect(row.completionTokens).toBeGreaterThanOrEqual(received.tokens);
  expect(row.completionTokens).toBeLessThanOrEqual(sent?.delivered.tokens ?? 0);
  if (row.completionTokens > 0) expect(row.promptTokens).toBeGreaterThan(0);
}

async function checkGeneration(account: TestAccount, row: RequestRow): Promise<void> {
  const response = await getPath(server, account.key, `/generation?id=${row.id}`);
  const { data } = await readJson(response);
  expect(nanosOf(at(data, "cost_usd"))).toBe(row.chargedNanos);
  expect(nanosOf(at(data, "total_cost"))).toBe(row.chargedNanos);
  expect(at(data, "tokens_completion")).toBe(row.completionTokens);
  expect(at(data, "tokens_prompt")).toBe(row.promptTokens);
  expect(at(data, "state")).toBe(row.state);
}

test(`T8: ${cases} random requests are billed for what was delivered, to the nano-dollar`, async () => {
  console.log(`seed of the random bill: SEED=${seed}`);
  const accounts = await Promise.all(Array.from({ length: 5 }, () => openAccount(server)));
  const accountOf = (index: number) => accounts[index % accounts.length] ?? raise("no account");
  const chosen = fc.sample(plans, { seed, numRuns: cases });
  const results = new Map<number, Received>();
  const waiting = [...chosen.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      results.set(next[0], await follow(next[1], next[0], accountOf(next[0])));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  expect(await waitForSettled(server)).toBe(0);

  const rows = await readRequests(server);
  const spent = new Map(accounts.map((account) => [account, 0n]));
  const seen = { completed: 0, broken: 0, unheard: 0 };
  for (const [index, plan] of chosen.entries()) {
    const received = results.get(index) ?? raise("no result");
    const row = rows.get(`case-${index}`);
    const sent = server.upstream.requests.find((request) => request.tag === `case-${index}`);
    try {
      if (row === undefined || row.state === "refused") {
        seen.unheard += 1;
        expect(plan.leave).toBeDefined();
        expect(sent).toBeUndefined();
        continue;
      }
      const { promptTokens: prompt, completionTokens: completion, cachedTokens: cached } = row;
      expect(row.chargedNanos).toBe(priceOf({ prompt, completion, cached }));
      expect(row.shortfallNanos).toBe(0n);
      if (received.complete) checkCompleted(plan, received, row, sent ?? raise("not sent"));
      else checkBroken(received, row, sent);
      seen[received.complete ? "completed" : "broken"] += 1;
      await checkGeneration(accountOf(index), row);
      spent.set(accountOf(index), (spent.get(accountOf(index)) ?? 0n) + row.chargedNanos);
    } catch (error) {
      throw new Error(
        `case ${index} ${JSON.stringify({ plan, row: { ...row, heldNanos: 0, chargedNanos: 0, shortfallNanos: 0 } })}\n${received.text}`,
        { cause: error },
      );
    }
  }
  console.log(`the random bill saw ${JSON.stringify(seen)}`);
  expect(Math.min(seen.completed, seen.broken)).toBeGreaterThan(cases / 10);

  for (const account of accounts) {
    const { data } = await readJson(await getPath(server, account.key, "/credits"));
    expect(nanosOf(at(data, "total_usage"))).toBe(spent.get(account) ?? -1n);
    const money = await readMoney(server, account.id);
    expect<bigint>(money.balanceNanos).toBe(10_000_000_000n - (spent.get(account) ?? 0n));
    expect<bigint>(money.heldNanos).toBe(0n);
  }
  await expectCleanBooks(server);
});

function raise(why: string): never {
  throw new Error(why);
}
