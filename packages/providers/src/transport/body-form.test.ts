import { afterAll, expect, test } from "bun:test";
import { sseBytes, tokensOf, upstreamChunk } from "../dialects/openai/sample-call.fixture.ts";
import { drainEvents, faultOf, startSampleUpstream } from "./sample-upstream.fixture.ts";

const upstream = startSampleUpstream();
afterAll(() => upstream.server.stop(true));

const completion = JSON.stringify({
  id: "theirs",
  choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
});
const streamed = new TextDecoder().decode(
  sseBytes(
    upstreamChunk({ content: "Hi" }),
    upstreamChunk({}, { finish_reason: "stop" }),
    JSON.stringify({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } }),
    "[DONE]",
  ),
);
const types = [
  "application/json",
  "text/event-stream; charset=utf-8",
  "text/plain",
  "text/html",
  "application/octet-stream",
  undefined,
];

/** A body in pieces, because the first bytes may be blank. */
function respond(pieces: readonly string[], type: string | undefined): () => Response {
  return () => {
    const rest = [...pieces];
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = rest.shift();
        if (piece === undefined) controller.close();
        else controller.enqueue(Buffer.from(piece));
      },
    });
    return new Response(body, { headers: type === undefined ? {} : { "content-type": type } });
  };
}

const done = "\n\ndata: [DONE]\n\n";

for (const type of types) {
  test(`an answer is read by how it begins: served as ${type ?? "nothing"}`, async () => {
    for (const body of [completion, streamed, completion + done]) {
      for (const pieces of [[body], ["\uFEFF\n", " \r\n", body.slice(0, 9), body.slice(9)]]) {
        const whole = await upstream.call({}, respond(pieces, type));
        expect(whole).toMatchObject({
          kind: "whole",
          upstreamId: "theirs",
          usage: { promptTokens: 3, completionTokens: 2 },
          finish: { reason: "stop" },
        });
        if (whole.kind === "whole") expect(JSON.stringify(whole.content)).toContain('"Hi"');
        const stream = await upstream.call({ stream: true }, respond(pieces, type));
        expect(stream).toMatchObject({ kind: "stream", upstreamId: "theirs" });
        const { events, fault } = await drainEvents(stream);
        expect(fault).toBeUndefined();
        expect(tokensOf(events)).toBe(1);
        expect(JSON.stringify(events)).toContain("Hi");
        expect(events.find(({ kind }) => kind === "usage")).toMatchObject({
          usage: { promptTokens: 3, completionTokens: 2 },
        });
        expect(events.at(-1)?.kind).toBe("done");
      }
    }
  });

  test(`an error in place of an answer is that error: served as ${type ?? "nothing"}`, async () => {
    const error = { message: "This model's maximum context length is 4096 tokens.", code: 400 };
    for (const stream of [true, false]) {
      const body = respond([JSON.stringify({ error })], type);
      expect(await faultOf(upstream.call({ stream }, body))).toMatchObject({
        code: "context_length_exceeded",
      });
    }
  });
}

test("one JSON in place of a stream has a limit, and may neither break off nor be something else", async () => {
  const read = (body: string, maxBodyBytes = 10_000) =>
    faultOf(
      upstream.call({ stream: true }, respond([body.slice(0, 20), body.slice(20)], "text/plain"), {
        limits: { maxBodyBytes },
      }),
    );
  expect((await read(completion, 50)).message).toContain("too large");
  expect((await read(completion.slice(0, -1))).message).toContain("unreadable");
  expect((await read("[1, 2]")).message).toContain("unreadable");
});

test("a stream in place of one JSON is billed as reported when its client has left", async () => {
  for (const type of types) {
    const client = new AbortController();
    const answer = upstream.call(
      {},
      () => {
        client.abort();
        return respond([streamed], type)();
      },
      { signal: client.signal, continuesWithoutClient: true },
    );
    expect(await answer).toMatchObject({ usage: { promptTokens: 3, completionTokens: 2 } });
  }
});
