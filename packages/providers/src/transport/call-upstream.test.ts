import { afterAll, expect, spyOn, test } from "bun:test";
import { sseBytes, tokensOf, upstreamChunk } from "../dialects/openai/sample-call.fixture.ts";
import {
  type Answering,
  type CallSetting,
  drainEvents,
  faultOf,
  startSampleUpstream,
} from "./sample-upstream.fixture.ts";

const upstream = startSampleUpstream();
afterAll(() => upstream.server.stop(true));

const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
const completion = {
  id: "theirs",
  choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
  usage,
};
const sse = { "content-type": "text/event-stream" };
const ending = [upstreamChunk({}, { finish_reason: "stop" }), "[DONE]"];

const whole = (answer: Answering, setting?: CallSetting) => upstream.call({}, answer, setting);
const stream = (answer: Answering, setting?: CallSetting) =>
  upstream.call({ stream: true }, answer, setting);

test("a whole answer is normalized, with its usage separate", async () => {
  const answer = await whole(() => Response.json(completion));
  expect(answer).toMatchObject({
    kind: "whole",
    content: {
      kind: "body",
      body: { id: "chatcmpl-ours", model: "vendor/model", created: 1_700_000_000 },
    },
    usage: { promptTokens: 3, completionTokens: 2 },
    finish: { reason: "stop" },
  });
});

test("blank lines before a whole answer are legal", async () => {
  const text = `\n\n \n${JSON.stringify(completion)}`;
  expect(await whole(() => new Response(text))).toMatchObject({ kind: "whole" });
});

test("the upstream sees our headers and body, and nothing else", async () => {
  let headers: Record<string, string> = {};
  let method = "";
  await whole((request) => {
    headers = request.headers.toJSON();
    method = request.method;
    return Response.json(completion);
  });
  const { host: _, connection: __, "content-length": ___, ...rest } = headers;
  expect(rest).toEqual({
    accept: "application/json",
    "accept-encoding": "identity",
    authorization: "Bearer sk-upstream-0123456789abcdef",
    "content-type": "application/json",
    "user-agent": "Turnpike/0.1",
  });
  expect(method).toBe("POST");
});

test("a stream is relayed in batches and ends with done", async () => {
  const bytes = sseBytes(
    upstreamChunk({ content: "a" }),
    upstreamChunk({ content: "b" }),
    ...ending,
  );
  const { events, fault } = await drainEvents(
    await stream(() => new Response(bytes, { headers: sse })),
  );
  expect(tokensOf(events)).toBe(2);
  expect([events.at(-1)?.kind, fault]).toEqual(["done", undefined]);
});

test("a refusal keeps its class", async () => {
  const error = { message: "no such tool", param: "tools" };
  for (const send of [whole, stream]) {
    const fault = await faultOf(send(() => Response.json({ error }, { status: 422 })));
    expect([fault.code, fault.details.status, fault.message]).toEqual([
      "upstream_rejected",
      422,
      "no such tool",
    ]);
  }
});

test("a refusal with an endless body is read only as far as useful", async () => {
  const flood = () =>
    new Response(
      new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) }),
      { status: 500 },
    );
  expect((await faultOf(whole(flood))).code).toBe("bad_gateway");
});

test("an error inside a 200 is a failure with the status it names", async () => {
  const named = { error: { message: "slow down", code: 429 } };
  for (const send of [whole, stream]) {
    const limited = await faultOf(send(() => Response.json(named)));
    expect(limited.code).toBe("upstream_rate_limited");
    const plain = await faultOf(send(() => Response.json({ code: "x", error: "broken" })));
    expect([plain.code, plain.message]).toEqual([
      "bad_gateway",
      "The upstream provider failed (502): broken",
    ]);
  }
});

test("an error before the first token rejects the call with its own status", async () => {
  const role = upstreamChunk({ role: "assistant", content: "" });
  const bytes = sseBytes(role, '{"error":{"message":"bad image","code":400}}');
  const fault = await faultOf(stream(() => new Response(bytes, { headers: sse })));
  expect([fault.code, fault.details.status]).toEqual(["upstream_rejected", 400]);
});

test("an error after a token is thrown by the events, after the tokens", async () => {
  const bytes = sseBytes(upstreamChunk({ content: "a" }), '{"error":{"message":"bad","code":400}}');
  const answer = await stream(() => new Response(bytes, { headers: sse }));
  const { events, fault } = await drainEvents(answer);
  expect([tokensOf(events), fault?.code]).toEqual([1, "bad_gateway"]);
});

test("an error inside a 200 keeps the wait that the answer's headers ask for", async () => {
  const error = { error: { message: "Overloaded", type: "overloaded_error" } };
  const busy = { code: "upstream_overloaded", details: { retryAfterMs: 7_000 } };
  const headers = { "retry-after": "7" };
  expect(await faultOf(whole(() => Response.json(error, { headers })))).toMatchObject(busy);
  expect(await faultOf(stream(() => Response.json(error, { headers })))).toMatchObject(busy);
  const event = sseBytes(JSON.stringify(error));
  const streamed = stream(() => new Response(event, { headers: { ...sse, ...headers } }));
  expect(await faultOf(streamed)).toMatchObject(busy);
});

test("a 200 that is not a completion is a bad gateway", async () => {
  const bodies = ["", "<html>", "[]", "{}", '{"choices":[]}', '{"choices":[{"message":null}]}'];
  for (const body of bodies) {
    expect((await faultOf(whole(() => new Response(body)))).code).toBe("bad_gateway");
    const headers = { "content-type": "application/json" };
    expect((await faultOf(stream(() => new Response(body, { headers })))).code).toBe("bad_gateway");
    expect((await faultOf(stream(() => new Response(body, { headers: sse })))).code).toBe(
      "bad_gateway",
    );
  }
});

test("a redirect is an error: body and key are sent nowhere else", async () => {
  let followed = 0;
  for (const status of [301, 302, 307, 308]) {
    const fault = await faultOf(
      whole((request) => {
        if (request.url.endsWith("/elsewhere")) followed += 1;
        return new Response(null, { status, headers: { location: "/elsewhere" } });
      }),
    );
    expect(fault.code).toBe("bad_gateway");
  }
  expect(followed).toBe(0);
});

test("a compressed answer is refused unread, bomb or not", async () => {
  const bomb = Bun.gzipSync(new Uint8Array(4 * 1024 * 1024));
  const headers = { ...sse, "content-encoding": "gzip" };
  using fetched = spyOn(globalThis, "fetch");
  for (const send of [whole, stream]) {
    expect((await faultOf(send(() => new Response(bomb, { headers })))).message).toContain(
      "compressed",
    );
  }
  // The runtime would decompress it in a thread of its own, which only shows in the memory of the process.
  for (const [, options] of fetched.mock.calls)
    expect(options).toMatchObject({ decompress: false });
  expect(fetched).toHaveBeenCalledTimes(2);
});

test("a whole answer beyond the limit is refused", async () => {
  const large = { ...completion, padding: "x".repeat(5000) };
  const fault = await faultOf(
    whole(() => Response.json(large), { limits: { maxBodyBytes: 4000 } }),
  );
  expect([fault.code, fault.message]).toEqual([
    "bad_gateway",
    "The upstream provider's answer is too large.",
  ]);
});

test("a private address is refused before anything is sent", async () => {
  let called = false;
  const refused = whole(
    () => {
      called = true;
      return Response.json(completion);
    },
    { allowPrivate: false },
  );
  expect([(await faultOf(refused)).code, called]).toEqual(["bad_gateway", false]);
});

test("an answer whose client disconnected while it was read is not kept, except its id and usage", async () => {
  const client = new AbortController();
  const rest = Promise.withResolvers<string>();
  const text = JSON.stringify(completion);
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(Buffer.from(text.slice(0, 20)));
      client.abort();
      controller.enqueue(Buffer.from(await rest.promise));
      controller.close();
    },
  });
  const answer = whole(() => new Response(body), {
    signal: client.signal,
    continuesWithoutClient: true,
  });
  rest.resolve(text.slice(20));
  const { promptTokens, completionTokens } = { promptTokens: 3, completionTokens: 2 };
  expect(await answer).toMatchObject({
    kind: "unread",
    upstreamId: "theirs",
    usage: { promptTokens, completionTokens },
  });
  expect(Object.keys(await answer).toSorted()).toEqual(["kind", "upstreamId", "usage"]);
});

test("an unread error in a 200, and an unread body that is not an answer, are faults like read ones", async () => {
  const leaving = (text: string) => {
    const client = new AbortController();
    const respond = () => {
      client.abort();
      return new Response(text);
    };
    return faultOf(whole(respond, { signal: client.signal, continuesWithoutClient: true }));
  };
  const refused = await leaving(JSON.stringify({ error: { message: "no", code: 429 } }));
  expect(refused.details.upstreamStatus).toBe(429);
  const broken = await leaving("<html>");
  expect([broken.code, broken.details.upstreamStatus]).toEqual(["bad_gateway", undefined]);
});

test("an upstream accepts a call with its status line, before its first token, and not by refusing", async () => {
  const accepted: string[] = [];
  const on = (name: string) => ({ onAccepted: () => accepted.push(name) });
  await faultOf(whole(() => new Response(null, { status: 500 }), on("refused")));
  expect(accepted).toEqual([]);
  const gate = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(Buffer.from(": the status line is sent with this comment\n\n"));
      // Its first token is sent only when the call was accepted.
      await gate.promise;
      controller.enqueue(sseBytes(upstreamChunk({ content: "a" }), ...ending));
      controller.close();
    },
  });
  const answer = stream(() => new Response(body, { headers: sse }), {
    onAccepted: () => {
      accepted.push("stream");
      gate.resolve();
    },
  });
  await drainEvents(await answer);
  expect(accepted).toEqual(["stream"]);
});
