// A candidate ends when the answer does: what comes behind its finishReason is part of it.
import { expect, test } from "bun:test";
import { GeminiStream } from "./gemini-stream.ts";
import { parseWhole } from "./parse-whole.ts";
import { call, candidate, geminiCall, response, sse, tools } from "./sample-response.fixture.ts";

const asked = geminiCall({ stream: true, tools });
const headers = new Headers();

function read(...responses: object[]) {
  const stream = new GeminiStream(asked, { maxEventBytes: 1024 * 1024, headers });
  const events = [...stream.push(new TextEncoder().encode(sse(...responses))), ...stream.end()];
  return { events, stream, deltas: events.flatMap((one) => ("deltas" in one ? one.deltas : [])) };
}

const say = (text: string, finish?: string) => response([candidate([{ text }], finish)]);

test.each([
  ["a STOP in each response", [say("one", "STOP"), say(" two", "STOP"), say("", "STOP")], "STOP"],
  ["text behind a STOP", [say("one", "STOP"), say(" two")], "STOP"],
  [
    "no reason yet",
    [say("one", "FINISH_REASON_UNSPECIFIED"), say(" two", "FINISH_REASON_UNSPECIFIED")].concat([
      say("", "STOP"),
    ]),
    "STOP",
  ],
  ["another reason at the end", [say("one", "STOP"), say(" two", "MAX_TOKENS")], "MAX_TOKENS"],
])("all text is relayed, and the last reason once, at the end: %s", (_, responses, native) => {
  const { events, deltas, stream } = read(...responses);
  const reason = native === "STOP" ? "stop" : "length";
  expect(deltas.flatMap((delta) => (delta.kind === "text" ? delta.text : [])).join("")).toBe(
    "one two",
  );
  expect(deltas.filter(({ kind }) => kind === "finish")).toMatchObject([{ reason }]);
  expect(deltas.at(-1)?.kind).toBe("finish");
  expect(events.filter(({ kind }) => kind === "finish")).toEqual([
    { kind: "finish", reason, native },
  ]);
  expect([stream.done, stream.fault]).toEqual([true, undefined]);
  const list = JSON.stringify(responses);
  expect(parseWhole(asked, list, headers)).toMatchObject({
    content: { deltas: deltas.map(({ kind }) => ({ kind })) },
    finish: { reason, native },
    usage: { completionTokens: 4 },
  });
});

test("a call behind a STOP is what the answer ends with", () => {
  const { deltas } = read(say("Let me look.", "STOP"), response([candidate([call("Oslo")])]));
  expect(deltas).toMatchObject([
    { kind: "text" },
    { kind: "tool_call", name: "get_weather" },
    { kind: "finish", reason: "tool_calls" },
  ]);
});

test("a reason that means a broken answer breaks it wherever it is", () => {
  for (const native of ["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"]) {
    const { stream } = read(say("a", "STOP"), say("", native));
    expect([stream.done, stream.fault?.code]).toEqual([false, "bad_gateway"]);
  }
  const silent = read(response([candidate([], "OTHER")])).stream;
  expect([silent.done, silent.fault?.code]).toEqual([false, "bad_gateway"]);
  expect(read(say("a"), response([candidate([], "OTHER")])).stream.done).toBe(true);
});

test("a list of responses is one answer, unless it has an error or no end", () => {
  const reading = (...entries: unknown[]) => {
    try {
      return parseWhole(asked, JSON.stringify(entries), headers).finish?.native;
    } catch (thrown) {
      return thrown instanceof Error ? thrown.message : thrown;
    }
  };
  const error = { error: { code: 400, message: "Bad part.", status: "INVALID_ARGUMENT" } };
  expect(reading(say("a"), say("b", "STOP"))).toBe("STOP");
  expect([reading(error), reading(say("a"), error)]).toEqual(["Bad part.", "Bad part."]);
  expect(reading(say("a"), say("b"))).toContain("broke off");
  expect([reading(), reading(1), reading(null, say("a", "STOP"))].join()).not.toContain("STOP");
});
