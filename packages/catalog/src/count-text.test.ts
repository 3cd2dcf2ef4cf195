// Texts are counted in a thread of their own, whose end loses no count; a count ends with its caller.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { countText, createTextCounter } from "./count-text.ts";

const encoding = "o200k_base";
const prose = "The ferryman counted twelve lamps, and paid for the last one himself. ";

/** Far more text than can be counted while a test waits. */
function endlessText(): string {
  return Array.from({ length: 20_000_000 }, (_, index) =>
    String.fromCharCode(0x4e00 + ((index * 7_919) % 20_000)),
  ).join("");
}

/** `expect().rejects` blocks the thread that the answer comes to. */
function refusalOf(counting: Promise<number>): Promise<unknown> {
  return counting.then(
    (tokens) => Promise.reject(new Error(`counted ${tokens} tokens`)),
    (refused: unknown) => refused,
  );
}

test("a count whose caller has left ends, says what it took, and lets the next one begin", async () => {
  const caller = new AbortController();
  let spentMs = -1;
  const onSpent = (ms: number) => {
    spentMs = ms;
  };
  const options = { encoding, accountId: "one", signal: caller.signal, onSpent } as const;
  const abandoned = countText(endlessText(), options);
  // Of another account, so that it takes turns with the first: it shows that the thread is counting.
  await countText(prose, { encoding, accountId: "another" });
  caller.abort();
  expect(await refusalOf(abandoned)).toMatchObject({ code: "client_closed_request" });
  expect(spentMs).toBeGreaterThanOrEqual(0);
  // Of the same account: it would wait for the first to its end.
  expect(await countText(prose, { encoding, accountId: "one" })).toBe(countTokens(prose));
});

test("nothing is counted for a caller who has left already", async () => {
  const signal = AbortSignal.abort();
  const refused = await refusalOf(countText(prose, { encoding, signal }));
  expect(refused).toMatchObject({ code: "client_closed_request" });
});

test("a text whose thread dies is counted all the same, and so is the next one", async () => {
  const script = join(tmpdir(), `ends-at-once-${process.pid}.ts`);
  writeFileSync(
    script,
    'import { parentPort } from "node:worker_threads";\nparentPort?.on("message", () => process.exit(1));\n',
  );
  const count = createTextCounter(pathToFileURL(script));
  for (const text of [prose, prose.repeat(3)]) {
    const tokens = await count(text, { encoding });
    expect(tokens).toBeGreaterThanOrEqual(countTokens(text));
  }
});
