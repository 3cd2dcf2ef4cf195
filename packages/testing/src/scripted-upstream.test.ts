import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { once } from "node:events";
import { connect } from "node:net";
import { encode } from "gpt-tokenizer";
import { fieldsOf } from "./parse-chat-body.ts";
import { type Script, scriptedToken, scriptedWideToken } from "./parse-script.ts";
import { startScriptedUpstream } from "./scripted-upstream.ts";

const upstream = await startScriptedUpstream();
afterAll(() => upstream.close());
beforeEach(() => upstream.script(undefined));

type Extra = Readonly<Record<string, unknown>>;

function post(script: Script | string, extra: Extra = {}, signal?: AbortSignal) {
  const text = typeof script === "string" ? script : `hello #script ${JSON.stringify(script)}`;
  const body = { model: "m", messages: [{ role: "user", content: text }], ...extra };
  return fetch(`${upstream.baseUrl}/chat/completions`, {
    method: "POST",
    body: JSON.stringify(body),
    signal: signal ?? null,
    decompress: false,
    redirect: "manual",
  });
}

/** The bytes of a request, which is valid JSON without its last byte too. */
function bytesOfRequest(): string {
  const body = `${JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }] })} `;
  const head = ["POST /v1/chat/completions HTTP/1.1", "host: x", `content-length: ${body.length}`];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}

async function whole(script: Script | string, extra: Extra = {}) {
  const answer = fieldsOf(await (await post(script, extra)).json());
  const choices = Array.isArray(answer.choices) ? answer.choices.map(fieldsOf) : [];
  return { answer, choices, message: fieldsOf(choices[0]?.message), usage: fieldsOf(answer.usage) };
}

async function stream(script: Script | string, extra: Extra = {}) {
  const response = await post(script, { stream: true, ...extra });
  const text = await response.text();
  const data = text
    .split(/\r?\n\r?\n/)
    .filter((event) => event.startsWith("data: "))
    .map((event) => event.slice("data: ".length));
  const chunks = data.filter((json) => json !== "[DONE]").map((json) => fieldsOf(JSON.parse(json)));
  const choices = chunks.flatMap((chunk) => (Array.isArray(chunk.choices) ? chunk.choices : []));
  const deltas = choices.map((choice) => fieldsOf(fieldsOf(choice).delta));
  const finishes = choices.map((choice) => fieldsOf(choice).finish_reason);
  return { response, text, data, chunks, deltas, finish: finishes.find((reason) => reason) };
}

describe("answers", () => {
  test("every delta's text is exactly one token, however often it is repeated", () => {
    for (const token of [scriptedToken, scriptedWideToken]) {
      expect([1, 7, 300].map((count) => encode(token.repeat(count)).length)).toEqual([1, 7, 300]);
    }
  });

  test("a whole answer has as many tokens as the script has deltas, and reports them", async () => {
    const { message, usage, choices } = await whole({ tag: "whole", deltas: 20 });
    expect(message.content).toBe(" tok".repeat(20));
    expect(choices[0]?.finish_reason).toBe("stop");
    expect(usage.completion_tokens).toBe(20);
    expect(usage.prompt_tokens).toBeGreaterThan(0);
    expect(upstream.delivered("whole")).toMatchObject({ deltas: 0, tokens: 20 });
  });

  test("a stream starts with the role, ends with a finish and [DONE], and shows usage if requested", async () => {
    const asked = await stream({ deltas: 3 }, { stream_options: { include_usage: true } });
    expect(asked.deltas[0]).toEqual({ role: "assistant", content: "" });
    expect(asked.deltas.map(({ content }) => content).join("")).toBe(" tok tok tok");
    expect(asked.finish).toBe("stop");
    expect(fieldsOf(asked.chunks.at(-1)?.usage).completion_tokens).toBe(3);
    expect(asked.chunks.at(0)?.usage).toBeNull();
    expect(asked.data.at(-1)).toBe("[DONE]");
    const unasked = await stream({ deltas: 3 });
    expect(unasked.text).not.toContain("usage");
  });

  test("generation stops at the request's limit with finish_reason length", async () => {
    const { choices, usage } = await whole({ deltas: 50 }, { max_completion_tokens: 7 });
    expect(choices[0]?.finish_reason).toBe("length");
    expect(usage.completion_tokens).toBe(7);
    const ignored = await whole({ deltas: 50, ignoreLimit: true }, { max_tokens: 7 });
    expect(ignored.usage.completion_tokens).toBe(50);
  });

  test("several choices take turns, and each has its own finish", async () => {
    const { choices, usage } = await whole({ deltas: 2 }, { n: 3 });
    expect(choices.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(usage.completion_tokens).toBe(6);
    const streamed = await stream({ deltas: 1 }, { n: 2 });
    const indexes = streamed.chunks.map((chunk) => fieldsOf(Object(chunk.choices)[0]).index);
    expect(indexes).toEqual([0, 1, 0, 1, 0, 1]);
  });

  test("a tool call is the same whole and streamed", async () => {
    const calls = [{ name: "get_weather", arguments: '{"city":"Zürich","days":3}' }];
    const { message, choices } = await whole({ toolCalls: calls });
    const expected = { name: "get_weather", arguments: calls[0]?.arguments };
    const [call] = Array.isArray(message.tool_calls) ? message.tool_calls.map(fieldsOf) : [];
    expect(call?.function).toEqual(expected);
    expect(message.content).toBeNull();
    expect(choices[0]?.finish_reason).toBe("tool_calls");
    const { deltas } = await stream({ toolCalls: calls });
    const parts = deltas.flatMap(({ tool_calls: part }) => (Array.isArray(part) ? part : []));
    expect(parts.length).toBeGreaterThan(2);
    const fragments = parts.map((part) => fieldsOf(fieldsOf(part).function).arguments);
    expect(fragments.join("")).toBe(expected.arguments ?? "");
  });

  test("reasoning comes before the content, in the field the script names", async () => {
    const { message, usage } = await whole({ reasoning: 4, deltas: 2 });
    expect(message).toMatchObject({ reasoning_content: " tok".repeat(4), content: " tok tok" });
    expect(fieldsOf(usage.completion_tokens_details).reasoning_tokens).toBe(4);
    const { deltas } = await stream({ reasoning: 1, deltas: 1, reasoningField: "reasoning" });
    expect(deltas[1]).toEqual({ reasoning: " tok" });
  });
});

describe("wrong answers", () => {
  test("usage can be wrong in every way a provider gets it wrong", async () => {
    const usageOf = async (usage: NonNullable<Script["usage"]>) =>
      (await whole({ deltas: 4, usage })).answer.usage;
    expect(await usageOf("missing")).toBeUndefined();
    expect(await usageOf("null")).toBeNull();
    expect(await usageOf("zero")).toMatchObject({ prompt_tokens: 0, completion_tokens: 0 });
    expect(await usageOf("negative")).toMatchObject({ completion_tokens: -4 });
    expect(await usageOf("huge")).toMatchObject({ completion_tokens: 1e18 });
    expect(await usageOf("float")).toMatchObject({ completion_tokens: 4.5 });
    expect(await usageOf("string")).toMatchObject({ completion_tokens: "4" });
    expect(await usageOf({ completion_tokens: 9 })).toEqual({ completion_tokens: 9 });
    const options = { stream_options: { include_usage: true } };
    const { chunks } = await stream({ deltas: 4, usage: "twice" }, options);
    const reported = chunks.map((chunk) => chunk.usage).filter((usage) => usage);
    expect(reported.map((usage) => fieldsOf(usage).completion_tokens)).toEqual([2, 4]);
  });

  test("an error has its status, body and headers; in a 200 it hides in the body", async () => {
    const limited = await post({ status: 429, headers: { "retry-after": "3" } });
    expect(limited.status).toBe(429);
    expect(limited.headers.get("retry-after")).toBe("3");
    expect(await limited.json()).toMatchObject({ error: { code: "rate_limit_exceeded" } });
    const hidden = await post({ error: "overloaded" });
    expect(hidden.status).toBe(200);
    expect(await hidden.json()).toMatchObject({ error: { message: "overloaded" } });
    const page = await post({ status: 500, body: "<h1>Oops</h1>" });
    expect(await page.text()).toBe("<h1>Oops</h1>");
    const moved = await post({ status: 302, headers: { location: "/elsewhere" } });
    expect(moved.status).toBe(302);
  });

  test("an error can come in the middle of a stream", async () => {
    const { chunks, data } = await stream({ deltas: 9, errorAfterDeltas: 2, error: "worn out" });
    expect(chunks.at(-1)).toMatchObject({ error: { message: "worn out" } });
    expect(chunks.length).toBe(1 + 2 + 1);
    expect(data).not.toContain("[DONE]");
  });

  test("the end can lack its finish, its [DONE] or its length", async () => {
    expect((await stream({ finish: null })).finish).toBeUndefined();
    expect((await stream({ noDone: true })).data).not.toContain("[DONE]");
    expect((await stream({ finish: "eos" })).finish).toBe("eos");
    const { response, data } = await stream({ closeDelimited: true });
    expect(response.headers.get("transfer-encoding")).toBeNull();
    expect(data.at(-1)).toBe("[DONE]");
  });

  test("gzip is sent without being requested, with its header", async () => {
    const response = await post({ garbage: "gzip" });
    expect(response.headers.get("content-encoding")).toBe("gzip");
    const json = Bun.gunzipSync(await response.arrayBuffer());
    expect(JSON.parse(new TextDecoder().decode(json))).toHaveProperty("choices");
  });

  test("a misspelt or mistyped script is refused, never ignored", async () => {
    for (const wrong of ['{"delta":3}', '{"deltas":"3"}', '{"usage":"wrong"}', '{"deltas":3']) {
      expect((await post(`#script ${wrong}`)).status).toBe(400);
    }
  });
});

describe("sandbox", () => {
  test("echo returns the last user message word by word", async () => {
    const { deltas } = await stream("say  it twice, please", { model: "sandbox-echo" });
    const words = deltas.map(({ content }) => content).filter((word) => word);
    expect(words).toEqual(["say", "  it", " twice,", " please"]);
  });

  test("tools are called with valid arguments, and their answer is repeated", async () => {
    const parameters = {
      type: "object",
      properties: { city: { type: "string" }, unit: { enum: ["c", "f"] } },
    };
    const tools = [{ type: "function", function: { name: "weather", parameters } }];
    const { message } = await whole("rain?", { model: "sandbox-tools", tools });
    const [call] = Array.isArray(message.tool_calls) ? message.tool_calls : [];
    const { arguments: json } = fieldsOf(fieldsOf(call).function);
    expect(JSON.parse(String(json))).toEqual({ city: "example", unit: "c" });
    const messages = [
      { role: "user", content: "rain?" },
      { role: "assistant", content: null, tool_calls: message.tool_calls },
      { role: "tool", tool_call_id: "1", content: "sunny" },
    ];
    const second = await whole("", { model: "sandbox-tools", tools, messages });
    expect(second.message.content).toBe("The tool says: sunny");
  });

  test("reasoning thinks first; an unknown model still answers", async () => {
    const { message } = await whole("why?", { model: "sandbox-reasoning" });
    expect(String(message.reasoning_content)).not.toBeEmpty();
    expect((await whole("hi")).message.content).toBe("Hello from the scripted upstream.");
  });
});

describe("records", () => {
  test("a request is remembered as it was sent and counted as it was answered", async () => {
    const { text } = await stream({ tag: "counted", deltas: 11 }, { seed: 7 });
    const request = await upstream.waitFor(({ tag }) => tag === "counted");
    expect(await request.ended).toBe("answered");
    expect(JSON.parse(request.body)).toMatchObject({ seed: 7, stream: true });
    expect(request.delivered).toEqual({ deltas: 11, tokens: 11, bytes: Buffer.byteLength(text) });
  });

  test("a client that disconnects is noticed while the upstream waits, paces or stalls", async () => {
    const scripts: Script[] = [
      { tag: "waits", firstByteMs: 60_000 },
      { tag: "paces", deltas: 5, paceMs: 60_000 },
      { tag: "stalls", stallAfterDeltas: 2 },
      { tag: "endless", endless: true },
    ];
    for (const script of scripts) {
      const abort = new AbortController();
      const answer = post(script, { stream: true }, abort.signal).then((response) =>
        response.text(),
      );
      const request = await upstream.waitFor(({ tag }) => tag === script.tag);
      abort.abort();
      await expect(answer).rejects.toThrow();
      await request.gone;
      expect(request.ending).toBe("gone");
    }
  });

  test("a client gets everything that was delivered before a reset", async () => {
    for (let round = 0; round < 20; round += 1) {
      const response = await post({ deltas: 9, resetAfterDeltas: 3 }, { stream: true });
      let text = "";
      const decoder = new TextDecoder();
      const read = async () => {
        for await (const part of response.body ?? []) text += decoder.decode(part);
      };
      await expect(read()).rejects.toThrow();
      expect(text.split(" tok").length - 1).toBe(3);
    }
  });

  test("an incomplete request is not counted, and no script answers it", async () => {
    let asked = 0;
    upstream.script(() => {
      asked += 1;
      return { status: 500 };
    });
    const before = upstream.requests.length;
    const bytes = bytesOfRequest();
    const lengths = [10, bytes.indexOf("\r\n\r\n") + 4, bytes.length - 1];
    for (const length of lengths) {
      const socket = connect(Number(new URL(upstream.url).port), "127.0.0.1");
      await once(socket, "connect");
      socket.write(bytes.slice(0, length), () => socket.resetAndDestroy());
      await once(socket, "close");
    }
    upstream.script({ tag: "after the torn ones", deltas: 1 });
    await (await post("hi")).text();
    expect(upstream.requests.slice(before).map(({ tag }) => tag)).toEqual(["after the torn ones"]);
    expect(asked).toBe(0);
  });

  test("a function can choose the answer, depending on the request", async () => {
    upstream.script(({ chat }) => ({ text: `you said ${chat.lastUserText}` }));
    expect((await whole("boo")).message.content).toBe("you said boo");
    expect((await whole({ deltas: 1 })).message.content).toBe(" tok");
    upstream.script({ status: 503 });
    expect((await post("boo")).status).toBe(503);
  });
});
