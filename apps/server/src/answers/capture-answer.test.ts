// Which answers have a copy: those that were charged, returned whole or broken off, and are small enough.
import { expect, test } from "bun:test";
import type { StreamEnding } from "@turnpike/gateway";
import { captureAnswer } from "./capture-answer.ts";

const answerMaxBytes = 16 * 1024 * 1024;
const headers = { "x-generation-id": "gen_1" };

/** The copy of a stream of `text` that ends so, after its client has received all of it. */
async function captureStream(text: string, ending: StreamEnding) {
  const body = new Blob([text]).stream();
  const ended = Promise.resolve(ending);
  const { answer, kept } = captureAnswer({ headers, body, sent: undefined, ended });
  expect(await new Response(answer.body).text()).toBe(text);
  return kept;
}

test("an answer of 16 MiB is kept, and a larger one counts as paid for and not kept", async () => {
  const largest = "é".repeat(answerMaxBytes / 2);
  for (const [body, copy] of [
    [largest, { headers, body: largest }],
    [`${largest}a`, "not_kept"],
  ] as const) {
    const whole = captureAnswer({ headers, body, sent: undefined });
    expect(await whole.kept).toEqual(copy);
    expect(whole.answer.body).toBe(body);
    expect(await captureStream(body, "whole")).toEqual(copy);
  }
});

test("a stream that broke off is kept if it was charged, and forgotten if it was free", async () => {
  expect(await captureStream("a", "broken_charged")).toEqual({
    headers,
    body: "a",
    isBroken: true,
  });
  expect(await captureStream("a", "broken")).toBeUndefined();
  expect(await captureStream("a", "undelivered")).toBe("not_kept");
});

test("headers of the call itself are not kept with its answer", async () => {
  const ofCall = { "server-timing": "auth;dur=1", "x-ratelimit-limit-requests": "5" };
  const { kept } = captureAnswer({ headers: { ...headers, ...ofCall }, body: "", sent: undefined });
  expect(await kept).toEqual({ headers, body: "" });
});
