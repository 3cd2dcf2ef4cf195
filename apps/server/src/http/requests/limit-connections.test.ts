import { expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import { createConnectionLimit } from "./limit-connections.ts";

const newRequest = () => new Request("http://turnpike.example/");
const address = "203.0.113.7";

/** A request that keeps running until it is ended. */
function hold(limit: ReturnType<typeof createConnectionLimit>, from = address) {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const answer = limit.run(newRequest(), from, () => promise);
  return { answer, end: () => resolve(new Response("done")) };
}

function refusal(limit: ReturnType<typeof createConnectionLimit>, from = address): unknown {
  try {
    hold(limit, from).end();
    return undefined;
  } catch (thrown) {
    return thrown instanceof Fault ? thrown.code : thrown;
  }
}

test("each network has its own bound, and loopback has none", async () => {
  const limit = createConnectionLimit(2);
  const held = [hold(limit), hold(limit)];
  expect(refusal(limit)).toBe("throttled");
  expect(refusal(limit, "203.0.113.8")).toBeUndefined();
  expect(refusal(limit, "127.0.0.1")).toBeUndefined();
  held[0]?.end();
  await held[0]?.answer;
  const again = hold(limit);
  expect(refusal(limit)).toBe("throttled");
  again.end();
});

test("all addresses of one IPv6 network of 64 bits are one caller", () => {
  const limit = createConnectionLimit(1);
  hold(limit, "2001:db8:0:1::1");
  expect(refusal(limit, "2001:db8:0:1:ffff::2")).toBe("throttled");
  expect(refusal(limit, "2001:db8:0:2::1")).toBeUndefined();
});

test("an answer that fails releases its slot", async () => {
  const limit = createConnectionLimit(1);
  const failing = async () =>
    limit.run(newRequest(), address, () => Promise.reject(new Error("no")));
  await expect(failing()).rejects.toThrow("no");
  const throwing = async () =>
    limit.run(newRequest(), address, () => {
      throw new Error("at once");
    });
  await expect(throwing()).rejects.toThrow("at once");
  expect(refusal(limit)).toBeUndefined();
});

test("a streamed answer counts until it was sent", async () => {
  const limit = createConnectionLimit(1);
  const request = newRequest();
  const { promise: sent, resolve } = Promise.withResolvers<void>();
  const response = await limit.run(request, address, async () => {
    limit.keepUntilSent(request, sent);
    return new Response("data: first");
  });
  await response.text();
  expect(refusal(limit)).toBe("throttled");
  resolve();
  await sent;
  expect(refusal(limit)).toBeUndefined();
});
