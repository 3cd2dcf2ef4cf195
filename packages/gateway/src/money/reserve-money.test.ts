// After which refusals a prompt is counted before the caller is refused, and why no money was held, as the
// caller reads it: the code, whose limit it was, the amounts, and when to retry.
import { expect, test } from "bun:test";
import { type HoldRefusal, type HoldRequest, LeaseBook } from "@turnpike/ledger";
import { toNanos } from "@turnpike/terms";
import { askFor, chatModel } from "../chat-model.fixture.ts";
import { createGateway, startOf } from "../completion.fixture.ts";
import { holdFault } from "./hold-fault.ts";
import { reserveMoney } from "./reserve-money.ts";

const needed = toNanos(1_500_000_000n);
const resetsAt = new Date("2026-12-01T00:00:00Z");

function refused(verdict: HoldRefusal, resets: Date | null = null, heldNanos = 0n) {
  const availableNanos = toNanos(250_000_000n);
  const elsewhereNanos = toNanos(heldNanos);
  return holdFault({ verdict, availableNanos, elsewhereNanos, resetsAt: resets }, needed);
}

const sums = "This request needs at least $1.5 and $0.25 is available.";

test.each([
  ["balance", "insufficient_quota", "balance_too_low"],
  ["clamped", "insufficient_quota", "balance_too_low"],
  ["in_flight", "insufficient_quota", "in_flight_hold"],
  ["frozen", "account_frozen", "frozen"],
] as const)("%s: what is needed, what is available, and why", (verdict, code, reason) => {
  const fault = refused(verdict);
  expect<string>(fault.code).toBe(code);
  expect(fault.details.metadata).toMatchObject({
    limit_source: "account_balance",
    reason,
    needed_usd: "1.5",
    available_usd: "0.25",
    held_usd: "0",
  });
  if (verdict !== "frozen") expect(fault.message).toStartWith(sums);
  expect(fault.details.retryAfterMs).toBe(verdict === "in_flight" ? 1_000 : undefined);
});

test.each([
  ["key_day", "day", "its spend limit per day"],
  ["key_week", "week", "its spend limit per week"],
  ["key_month", "month", "its spend limit per month"],
  ["key_total", "total", "its spend limit"],
] as const)("%s: which limit of the key, and when it starts again", (verdict, period, limit) => {
  const resets = period === "total" ? null : resetsAt;
  const fault = refused(verdict, resets);
  const at = resets === null ? "" : " It resets on Dec 1, 2026, 00:00 UTC.";
  expect(fault.message).toBe(`This API key reached ${limit}. ${sums}${at}`);
  expect<string>(fault.code).toBe("key_limit_reached");
  expect(fault.details.metadata).toEqual({
    limit_source: "key_limit",
    reason: "key_limit_reached",
    period,
    needed_usd: "1.5",
    available_usd: "0.25",
    held_usd: "0",
    reset_at: resets === null ? null : "2026-12-01T00:00:00.000Z",
  });
});

test.each(["key_day", "key_total", "balance"] as const)(
  "%s: what other requests hold",
  (verdict) => {
    const fault = refused(verdict, null, 2_000_000_000n);
    expect(fault.message).toContain(`${sums} $2 is held by requests still running.`);
    expect(fault.details.metadata).toMatchObject({ held_usd: "2" });
  },
);

test.each([
  ["missing", "invalid_api_key"],
  ["key_revoked", "invalid_api_key"],
  ["suspended", "account_suspended"],
] as const)("%s says nothing about money", (verdict, code) => {
  const fault = refused(verdict);
  expect<string>(fault.code).toBe(code);
  expect(fault.message).not.toContain("$");
  expect(fault.details.metadata).toBeUndefined();
});

/** What a call may cost at most and at least, where a token of output costs three times one of the prompt. */
async function boundsOf(maxTokens: number): Promise<{ want: bigint; floor: bigint }> {
  const asked: HoldRequest[] = [];
  const gateway = createGateway({
    ledger: {
      charge: () => Promise.reject(new Error("nothing is charged here")),
      async hold(request: HoldRequest) {
        asked.push(request);
        const nothing = toNanos(0n);
        const sums = { availableNanos: nothing, elsewhereNanos: nothing, resetsAt: null };
        return { verdict: "suspended", ...sums };
      },
    },
  });
  const price = { ...chatModel.price, outputNanosPerMillion: 3_000_000n };
  const modelRequest = askFor({ max_tokens: maxTokens }, { ...chatModel, price });
  const plan = { modelRequest, routes: chatModel.routes, fallbacks: [] };
  await Promise.resolve(reserveMoney(gateway, startOf(gateway).call, plan)).catch(() => undefined);
  const [request] = asked;
  if (request === undefined) throw new Error("nothing was asked for");
  return { want: request.wantNanos, floor: request.floorNanos };
}

test("a call wants its output limit at the output's price, and is refused below 256 tokens of it", async () => {
  const [short, limit, long] = [await boundsOf(100), await boundsOf(256), await boundsOf(900)];
  expect(short.floor).toBe(short.want);
  expect(limit.want - short.want).toBe(3n * 156n);
  expect(long.want - limit.want).toBe(3n * 644n);
  expect(limit.floor).toBe(limit.want);
  expect(long.floor).toBe(limit.want);
});

/** The wanted amounts of one call whose first hold is refused; a second one is granted. */
async function wantedAfter(verdict: HoldRefusal): Promise<bigint[]> {
  const wanted: bigint[] = [];
  const gateway = createGateway({
    ledger: {
      charge: () => Promise.reject(new Error("nothing is charged here")),
      async hold(request: HoldRequest) {
        wanted.push(request.wantNanos);
        const availableNanos = toNanos(1_000_000n);
        if (wanted.length === 1) {
          return { verdict, availableNanos, elsewhereNanos: toNanos(0n), resetsAt: null };
        }
        const lease = new LeaseBook().openRetired(request.facts);
        const grantedNanos = request.wantNanos;
        return { verdict: "held", hold: { request, lease, grantedNanos, heldAtMs: 0 } };
      },
    },
  });
  const messages = [{ role: "user", content: "many words of plain prose ".repeat(40) }];
  const modelRequest = askFor({ messages }, { ...chatModel, tokenizer: "o200k_base" });
  const plan = { modelRequest, routes: chatModel.routes, fallbacks: [] };
  await Promise.resolve(reserveMoney(gateway, startOf(gateway).call, plan)).catch(() => undefined);
  return wanted;
}

test.each([
  "clamped",
  "balance",
  "in_flight",
  "key_day",
  "key_week",
  "key_month",
  "key_total",
] as const)(
  "%s: the prompt is counted and asks for less before the caller is refused",
  async (verdict) => {
    const [byBytes, counted, ...others] = await wantedAfter(verdict);
    expect(others).toEqual([]);
    expect(counted).toBeLessThan(byBytes ?? 0n);
  },
);

test.each(["missing", "key_revoked", "suspended", "frozen"] as const)(
  "%s: no prompt is counted for a caller who may not call at all",
  async (verdict) => {
    expect(await wantedAfter(verdict)).toHaveLength(1);
  },
);
