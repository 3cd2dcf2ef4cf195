// What is stored of the attempts of a call is read back as they were.
import { expect, test } from "bun:test";
import { attemptsOf, foldAttempts } from "./fold-attempts.ts";
import type { RequestAttempt } from "./schema/requests.ts";

const provider = "provider";
const model = "vendor/model";
const usual: RequestAttempt = {
  provider,
  model: "model-2026",
  status: 200,
  firstByteMs: 21.5,
  error: null,
  startedMs: 1.25,
  waitedMs: 21.5,
};

function readBack(attempts: readonly RequestAttempt[] | null) {
  const row = { provider, model, attempts };
  const stored = { ...row, ...foldAttempts(row) };
  return { isFolded: stored.attempts === null, attempts: attemptsOf(stored) };
}

test("one attempt that succeeded is read from the row, also under the model's own name", () => {
  for (const attempt of [usual, { ...usual, model }, { ...usual, startedMs: 0 }]) {
    expect(readBack([attempt])).toEqual({ isFolded: true, attempts: [attempt] });
  }
});

test("any other attempts are stored as they are", () => {
  const failed: RequestAttempt = {
    ...usual,
    status: 503,
    error: "upstream_error",
    firstByteMs: null,
  };
  const { startedMs: _, ...untimed } = usual;
  const others: RequestAttempt[][] = [
    [failed],
    [failed, usual],
    [usual, usual],
    [{ ...usual, provider: "another" }],
    [{ ...usual, firstByteMs: 20 }],
    [untimed],
    [],
  ];
  for (const attempts of others) {
    expect(readBack(attempts)).toEqual({ isFolded: false, attempts });
  }
});

test("a call that reached no provider has no attempts", () => {
  expect(readBack(null)).toEqual({ isFolded: true, attempts: [] });
});
