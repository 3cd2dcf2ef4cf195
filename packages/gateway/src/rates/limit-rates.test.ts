// A key's rates: what is admitted, what is refused with the time to wait, and what is returned.
import { expect, test } from "bun:test";
import { type AccountId, type ApiKeyId, Fault, newId } from "@turnpike/base";
import { type KeyLimits, noLimits } from "@turnpike/keys";
import { admitNow } from "../admit-now.fixture.ts";
import { RateLimiter } from "./limit-rates.ts";

function keyWith(limits: Partial<KeyLimits>, accountId = newId<AccountId>()) {
  return { accountId, keyId: newId<ApiKeyId>(), limits: { ...noLimits, ...limits } };
}

/** The console's playground. */
function keyless(accountId = newId<AccountId>()) {
  return { accountId, keyId: null, limits: noLimits };
}

function refusalOrNone(run: () => unknown): Fault | undefined {
  try {
    run();
    return undefined;
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown;
    throw thrown;
  }
}

function refusalOf(run: () => unknown): Fault {
  const refusal = refusalOrNone(run);
  if (refusal === undefined) throw new Error("nothing was refused");
  return refusal;
}

test("a key without limits has no rate and gets no headers", () => {
  const limiter = new RateLimiter();
  const key = keyWith({});
  for (let i = 0; i < 1_000; i += 1) {
    const admission = admitNow(limiter, key, 1e9, 0);
    expect(admission.headers).toEqual({});
    admission.end(1e9);
  }
});

test("requests per minute admit exactly that many immediately, then one per interval", () => {
  const limiter = new RateLimiter();
  const key = keyWith({ requestsPerMinute: 3 });
  for (let i = 0; i < 3; i += 1) admitNow(limiter, key, 0, 0);
  const refusal = refusalOf(() => admitNow(limiter, key, 0, 0));
  expect(refusal.code).toBe("rate_limit_exceeded");
  expect(refusal.details.retryAfterMs).toBe(20_000);
  expect(refusal.details.headers?.["x-ratelimit-remaining-requests"]).toBe("0");
  admitNow(limiter, key, 0, 20_000);
  expect(refusalOf(() => admitNow(limiter, key, 0, 20_000)).code).toBe("rate_limit_exceeded");
});

test("headers report the limit, what is left and when it is full again", () => {
  const limiter = new RateLimiter();
  const { headers } = admitNow(
    limiter,
    keyWith({ requestsPerMinute: 60, tokensPerMinute: 600 }),
    90,
    0,
  );
  expect(headers).toEqual({
    "x-ratelimit-limit-requests": "60",
    "x-ratelimit-remaining-requests": "59",
    "x-ratelimit-reset-requests": "1s",
    "x-ratelimit-limit-tokens": "600",
    "x-ratelimit-remaining-tokens": "510",
    "x-ratelimit-reset-tokens": "9s",
  });
});

test("a wait of almost two minutes is written as two, never as sixty seconds and one", () => {
  const limiter = new RateLimiter();
  const key = keyWith({ tokensPerMinute: 1_000 });
  const now = performance.now();
  // Far more was used than expected: the deficit takes longer than a minute to refill.
  admitNow(limiter, key, 1, now).end(1_994);
  const { headers } = refusalOf(() => admitNow(limiter, key, 1, now)).details;
  expect(headers?.["x-ratelimit-reset-tokens"]).toBe("2m0s");
});

test("a key that owes tokens still owes them, however many keys there are", () => {
  const limiter = new RateLimiter();
  const debtor = keyWith({ tokensPerMinute: 1_000 });
  const start = performance.now();
  admitNow(limiter, debtor, 1, start).end(100_000);
  for (let i = 0; i < 10_000; i += 1)
    admitNow(limiter, keyWith({ requestsPerMinute: 1 }), 0, start).end(0);
  const later = start + 30 * 60_000;
  admitNow(limiter, keyWith({ concurrency: 1 }), 0, later);
  expect(refusalOf(() => admitNow(limiter, debtor, 1, later)).code).toBe("rate_limit_exceeded");
});

test("among many keys the idle ones are forgotten, whichever of the two rates they have", () => {
  const limiter = new RateLimiter();
  const start = performance.now();
  const fill = (limits: Partial<KeyLimits>) => {
    for (let i = 0; i < 5_000; i += 1) admitNow(limiter, keyWith(limits), 1, start).end(1);
  };
  fill({ requestsPerMinute: 1 });
  fill({ tokensPerMinute: 1_000 });
  expect(limiter.size).toBe(10_000);
  admitNow(limiter, keyWith({ requestsPerMinute: 1 }), 1, start + 30 * 60_000);
  expect(limiter.size).toBe(1);
});

test("tokens are taken when a request begins and corrected when it ends", () => {
  const limiter = new RateLimiter();
  const key = keyWith({ tokensPerMinute: 1_000 });
  const now = performance.now();
  const first = admitNow(limiter, key, 800, now);
  expect(refusalOf(() => admitNow(limiter, key, 300, now)).details.retryAfterMs).toBe(6_000);
  first.end(100);
  first.end(100);
  const { headers } = admitNow(limiter, key, 300, now);
  expect(Number(headers["x-ratelimit-remaining-tokens"])).toBeGreaterThanOrEqual(600);
});

test("a request larger than the limit itself runs alone instead of never", () => {
  const limiter = new RateLimiter();
  const key = keyWith({ tokensPerMinute: 100 });
  admitNow(limiter, key, 5_000, 0);
  expect(refusalOf(() => admitNow(limiter, key, 1, 0)).code).toBe("rate_limit_exceeded");
});

test("concurrent requests are counted until they end, once each", () => {
  const limiter = new RateLimiter();
  const key = keyWith({ concurrency: 1 });
  const first = admitNow(limiter, key, 0, 0);
  expect(refusalOf(() => admitNow(limiter, key, 0, 0)).code).toBe("rate_limit_exceeded");
  first.end(0);
  const second = admitNow(limiter, key, 0, 0);
  first.end(0);
  expect(refusalOf(() => admitNow(limiter, key, 0, 0)).code).toBe("rate_limit_exceeded");
  second.end(0);
  admitNow(limiter, key, 0, 0);
});

test("a changed limit applies to the next request", () => {
  const limiter = new RateLimiter();
  const key = keyWith({ requestsPerMinute: 1 });
  admitNow(limiter, key, 0, 0);
  const raised = { ...key, limits: { ...key.limits, requestsPerMinute: 2 } };
  expect(admitNow(limiter, raised, 0, 0).headers["x-ratelimit-limit-requests"]).toBe("2");
});

test("the number of requests in all is not bounded: what bounds a process is how long its queues take", () => {
  const limiter = new RateLimiter();
  for (let i = 0; i < 5_000; i += 1) admitNow(limiter, keyWith({}), 0, 0);
});

test("a key runs fifty concurrent requests unless its owner set another number", () => {
  const limiter = new RateLimiter();
  const accountId = newId<AccountId>();
  const plain = keyWith({}, accountId);
  const admissions = Array.from({ length: 50 }, () => admitNow(limiter, plain, 0, 0));
  const { code, message, details } = refusalOf(() => admitNow(limiter, plain, 0, 0));
  expect(code).toBe("rate_limit_exceeded");
  expect(message).toContain("API key is limited to 50 concurrent requests");
  expect(details.metadata).toMatchObject({ limit_source: "key_limit" });
  admissions[0]?.end(0);
  admitNow(limiter, plain, 0, 0);
  const wide = keyWith({ concurrency: 90 });
  for (let i = 0; i < 90; i += 1) admitNow(limiter, wide, 0, 0);
  expect(refusalOf(() => admitNow(limiter, wide, 0, 0)).code).toBe("rate_limit_exceeded");
});

test("an account runs a hundred concurrent requests over all its keys and the playground", () => {
  const limiter = new RateLimiter();
  const accountId = newId<AccountId>();
  const wide = keyWith({ concurrency: 1_000 }, accountId);
  const admissions = Array.from({ length: 99 }, () => admitNow(limiter, wide, 0, 0));
  admissions.push(admitNow(limiter, keyless(accountId), 0, 0));
  for (const caller of [wide, keyWith({}, accountId), keyless(accountId)]) {
    const { code, message, details } = refusalOf(() => admitNow(limiter, caller, 0, 0));
    expect(code).toBe("rate_limit_exceeded");
    expect(message).toContain("account is limited to 100 concurrent requests");
    expect(details.metadata).toMatchObject({ limit_source: "account_limit" });
  }
  admitNow(limiter, keyWith({}), 0, 0);
  for (const admission of admissions) admission.end(0);
  for (let i = 0; i < 100; i += 1) admitNow(limiter, wide, 0, 0);
});

test("a request refused for its account takes nothing of its key's rates", () => {
  const limiter = new RateLimiter({ perAccount: 1 });
  const key = keyWith({ requestsPerMinute: 2 });
  const first = admitNow(limiter, key, 0, 0);
  for (let i = 0; i < 5; i += 1) refusalOf(() => admitNow(limiter, key, 0, 0));
  first.end(0);
  expect(admitNow(limiter, key, 0, 0).headers["x-ratelimit-remaining-requests"]).toBe("0");
});

test.each([
  // It takes a millisecond; clients are told to wait at least a second.
  [60_000, 1, 1_000],
  [60, 2, 2_000],
  [1, 1, 60_000],
])(
  "with %d tokens per minute, %d more wait %d ms, and the message names it in seconds",
  (perMinute, wanted, waitMs) => {
    const limiter = new RateLimiter();
    const key = keyWith({ tokensPerMinute: perMinute });
    admitNow(limiter, key, perMinute, 0);
    const { message, details } = refusalOf(() => admitNow(limiter, key, wanted, 0));
    expect(details.retryAfterMs).toBe(waitMs);
    expect(message).toEndWith(`Please try again in ${waitMs / 1_000}s.`);
  },
);

test("no caller is told to wait longer than a minute, whatever the deficit", () => {
  const limiter = new RateLimiter();
  const key = keyWith({ tokensPerMinute: 1_000 });
  const now = performance.now();
  admitNow(limiter, key, 1, now).end(100_000);
  const { message, details } = refusalOf(() => admitNow(limiter, key, 1, now));
  expect(details.retryAfterMs).toBe(60_000);
  expect(message).toEndWith("Please try again in 60s.");
  expect(details.headers).not.toHaveProperty("connection");
});

const mebibyte = 1024 * 1024;

test("as many bodies are read at once as calls may run, beside those that run", () => {
  const limiter = new RateLimiter({ perAccount: 3 });
  const key = keyWith({ concurrency: 2 });
  const running = [admitNow(limiter, key, 0), admitNow(limiter, key, 0)];
  const [slot] = [limiter.reserveSlot(key, 1), limiter.reserveSlot(key, 1)];
  const ofKey = refusalOf(() => limiter.reserveSlot(key, 1)).details.metadata;
  expect(ofKey).toMatchObject({ limit_source: "key_limit", limit: "2 concurrent requests" });
  const sibling = keyWith({}, key.accountId);
  limiter.reserveSlot(sibling, 1);
  const ofAccount = refusalOf(() => limiter.reserveSlot(sibling, 1)).details.metadata;
  expect(ofAccount).toMatchObject({
    limit_source: "account_limit",
    limit: "3 concurrent requests",
  });
  expect(refusalOf(() => limiter.reserveSlot(keyless(key.accountId), 1)).code).toBe(
    "rate_limit_exceeded",
  );
  // Only the first call counts: the slot is released once.
  slot?.release();
  slot?.release();
  limiter.reserveSlot(key, 1);
  expect(refusalOf(() => limiter.reserveSlot(key, 1)).code).toBe("rate_limit_exceeded");
  for (const admission of running) admission.end(0);
});

test("a body that is read and waits gives its slot to another, but not its bytes", () => {
  const limiter = new RateLimiter({ bodyMebibytes: 2 * 3 * 256 });
  const key = keyWith({ concurrency: 1 });
  const waiting = limiter.reserveSlot(key, 200 * mebibyte);
  waiting.endReading();
  const reading = limiter.reserveSlot(key, 56 * mebibyte);
  waiting.release();
  expect(refusalOf(() => limiter.reserveSlot(key, 1)).message).toContain("1 concurrent requests");
  const sibling = keyWith({}, key.accountId);
  limiter.reserveSlot(sibling, 200 * mebibyte).endReading();
  expect(refusalOf(() => limiter.reserveSlot(sibling, 1)).message).toContain(
    "request bodies at once",
  );
  reading.release();
  limiter.reserveSlot(key, 1);
});

test("the bodies of one account have half of the memory for bodies, each three times its text", () => {
  const limiter = new RateLimiter();
  const key = keyWith({});
  const slot = limiter.reserveSlot(key, 0);
  slot.resize(20 * mebibyte);
  limiter.reserveSlot(keyWith({}, key.accountId), 150 * mebibyte);
  const { message } = refusalOf(() => limiter.reserveSlot(key, mebibyte));
  const limit = "512 MiB of memory for request bodies at once";
  expect(message).toStartWith(`This account is limited to ${limit}.`);
  expect(() => slot.resize(21 * mebibyte)).toThrow(limit);
  expect(() => slot.countParsed(2 * mebibyte + 1)).toThrow(limit);
  limiter.reserveSlot(keyWith({}), 20 * mebibyte);
  slot.countParsed(2 * mebibyte);
  slot.release();
  slot.resize(1);
  limiter.reserveSlot(key, 20 * mebibyte);
});

test("the bodies of all accounts have the memory of the process, beyond which all are refused", () => {
  const limiter = new RateLimiter();
  const slots = [1, 2, 3, 4].map(() => limiter.reserveSlot(keyWith({}), 80 * mebibyte));
  expect(refusalOf(() => limiter.reserveSlot(keyWith({}), 22 * mebibyte)).code).toBe("overloaded");
  expect(limiter.bodyBytes).toBe(960 * mebibyte);
  for (const slot of slots) slot.release();
  expect(limiter.bodyBytes).toBe(0);
});
