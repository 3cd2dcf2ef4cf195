// For any answer of a model, the response that the official SDK assembles from the events of a stream equals
// the whole answer.
import { expect, test } from "bun:test";
import { toNanos } from "@turnpike/terms";
import { type DeltaEvent, responsesProtocol } from "@turnpike/wire";
import fc from "fast-check";
import { ResponseStream } from "openai/lib/responses/ResponseStream";
import { asObject } from "../harness/index.ts";
import { parseNamedEvents } from "./post-responses.ts";

const identity = { id: `resp_${"0".repeat(32)}`, model: "test/model", created: 1 };
const counts = { promptTokens: 1, completionTokens: 2, cachedTokens: 0 };
const bill = {
  usage: { ...counts, cacheWriteTokens: 0, reasoningTokens: 0 },
  costNanos: toNanos(5n),
};
const request = responsesProtocol.parse(
  JSON.stringify({ model: "test/model", input: "hi", tools: [{ type: "custom", name: "patch" }] }),
  new Headers(),
);

const choice = 0;
const text = fc.string({ maxLength: 8, unit: "grapheme" });
const said: fc.Arbitrary<DeltaEvent> = fc.oneof(
  text.map((text): DeltaEvent => ({ kind: "text", choice, text })),
  text.map((text): DeltaEvent => ({ kind: "refusal", choice, text })),
  text.map((text): DeltaEvent => ({ kind: "reasoning", choice, text, signature: undefined })),
  fc
    .record({ index: fc.nat({ max: 2 }), arguments: text, name: fc.constantFrom("f", "patch") })
    .map((call): DeltaEvent => ({ kind: "tool_call", choice, id: `call_${call.index}`, ...call })),
);
const answers = fc.array(said, { maxLength: 15 }).map((deltas): DeltaEvent[] => {
  return [...deltas, { kind: "finish", choice, reason: "stop" }];
});

/** The SDK's snapshot just before the last event, which repeats the whole response. */
async function accumulate(events: readonly object[]): Promise<unknown> {
  const lines = events.map((event) => `${JSON.stringify(event)}\n`).join("");
  const body = new Response(lines).body;
  if (body === null) throw new Error("a body of a string");
  return ResponseStream.fromReadableStream(body).finalResponse();
}

test("the SDK's response is the whole answer", async () => {
  await fc.assert(
    fc.asyncProperty(answers, async (deltas) => {
      const writer = responsesProtocol.stream?.open(request, identity);
      const frames = (writer?.writeDeltas(deltas) ?? "") + (writer?.writeEnd(bill) ?? "");
      const events = parseNamedEvents(frames);
      const whole = asObject(
        JSON.parse(
          responsesProtocol.writeWhole({ kind: "deltas", deltas }, identity, bill, request),
        ),
      );
      // Without `output` in its last event the SDK has to use what it assembled itself.
      const last = asObject(events.at(-1));
      const { output: _, ...response } = asObject(last.response);
      const bare = [...events.slice(0, -1), { ...last, response }];
      const { output } = asObject(await accumulate(bare));
      expect(JSON.parse(JSON.stringify(output))).toMatchObject(whole.output as object[]);
    }),
    { numRuns: 60 },
  );
});
