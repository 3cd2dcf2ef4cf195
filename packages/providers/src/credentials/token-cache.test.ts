// How long a token is used, and how many requests it takes.
import { expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import { type Token, TokenCache } from "./token-cache.ts";

const minute = 60_000;

/** A cache with its own clock; each request for a token waits to be answered. */
function openCache() {
  const clock = { nowMs: 1_000 };
  const requests: PromiseWithResolvers<Token>[] = [];
  const cache = new TokenCache(
    () => {
      const request = Promise.withResolvers<Token>();
      requests.push(request);
      return request.promise;
    },
    () => clock.nowMs,
  );
  return {
    cache,
    clock,
    requests,
    answer: (text: string, lifetimeMs = 60 * minute) =>
      requests.at(-1)?.resolve({ text, lifetimeMs }),
    fail: () => requests.at(-1)?.reject(new Error("refused")),
  };
}

test("concurrent calls wait for one request", async () => {
  const { cache, requests, answer } = openCache();
  const reads = [cache.read(), cache.read(), cache.read()];
  answer("a");
  expect(await Promise.all(reads)).toEqual(["a", "a", "a"]);
  expect(await cache.read()).toBe("a");
  expect(requests).toHaveLength(1);
});

test("a token is renewed before it expires, and used until the new one has arrived", async () => {
  const { cache, clock, requests, answer } = openCache();
  const first = cache.read();
  answer("a");
  await first;
  clock.nowMs += 54 * minute;
  expect([await cache.read(), requests.length]).toEqual(["a", 1]);
  clock.nowMs += 2 * minute;
  expect([await cache.read(), await cache.read(), requests.length]).toEqual(["a", "a", 2]);
  answer("b");
  await requests[1]?.promise;
  expect([await cache.read(), requests.length]).toEqual(["b", 2]);
});

test("a renewal that fails is tried again later, and has no effect while the token is valid", async () => {
  const { cache, clock, requests, answer, fail } = openCache();
  const first = cache.read();
  answer("a");
  await first;
  clock.nowMs += 56 * minute;
  expect(await cache.read()).toBe("a");
  fail();
  await Promise.allSettled([requests[1]?.promise]);
  expect([await cache.read(), requests.length]).toEqual(["a", 2]);
  clock.nowMs += 11_000;
  expect([await cache.read(), requests.length]).toEqual(["a", 3]);
  fail();
  await Promise.allSettled([requests[2]?.promise]);
  clock.nowMs += 4 * minute;
  const expired = cache.read();
  fail();
  expect(expired).rejects.toThrow("refused");
  await Promise.allSettled([expired]);
  clock.nowMs += 2_000;
  const next = cache.read();
  answer("b");
  expect(await next).toBe("b");
});

const refusal = new Fault("bad_gateway", "refused", { upstreamStatus: 401 });

test.each([
  ["a refusal of the credential", refusal, 30_000],
  ["a failure of the endpoint", new Fault("bad_gateway", "busy", { upstreamStatus: 503 }), 2_000],
  ["an endpoint that cannot be reached", new Error("refused"), 2_000],
])("after %s no call requests a token for a while", async (_, thrown, keptMs) => {
  const { cache, clock, requests, answer } = openCache();
  const first = cache.read();
  requests[0]?.reject(thrown);
  await expect(first).rejects.toBe(thrown);
  clock.nowMs += keptMs - 1;
  await expect(cache.read()).rejects.toBe(thrown);
  expect(requests).toHaveLength(1);
  clock.nowMs += 1;
  const next = cache.read();
  answer("a");
  expect([await next, requests.length]).toEqual(["a", 2]);
});

test("an expired token is never returned", async () => {
  const { cache, clock, requests, answer } = openCache();
  const first = cache.read();
  answer("a", 2_000);
  await first;
  clock.nowMs += 1_900;
  const second = cache.read();
  answer("b");
  expect([await second, requests.length]).toEqual(["b", 2]);
});

test("a token the provider refused is replaced, one obtained since then is kept", async () => {
  const { cache, requests, answer } = openCache();
  const first = cache.read();
  answer("a");
  await first;
  expect(cache.forget("a")).toBe(true);
  const second = cache.read();
  answer("b");
  expect(await second).toBe("b");
  expect(cache.forget("a")).toBe(true);
  expect([await cache.read(), requests.length]).toEqual(["b", 2]);
});

test("a token refused right after another one is kept, so that refusals do not cause a flood of requests", async () => {
  const { cache, clock, requests, answer } = openCache();
  const first = cache.read();
  answer("a");
  await first;
  expect(cache.forget("a")).toBe(true);
  const second = cache.read();
  answer("b");
  expect(await second).toBe("b");
  clock.nowMs += 9_999;
  expect(cache.forget("b")).toBe(false);
  expect([await cache.read(), requests.length]).toEqual(["b", 2]);
  clock.nowMs += 1;
  expect(cache.forget("b")).toBe(true);
});
