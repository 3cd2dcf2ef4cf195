// What the log says of a provider that failed: enough to act on, and nothing of the prompt, which providers
// repeat in their messages.
import { afterAll, expect, test } from "bun:test";
import { type AccountId, Fault, type GenerationId, newId } from "@turnpike/base";
import {
  callUpstream,
  defaultQuirks,
  noCredential,
  type Provider,
  streamLimits,
} from "@turnpike/providers";
import { createLog } from "@turnpike/telemetry";
import { parseStreamed } from "../chat-model.fixture.ts";
import { reportFailure } from "./report-upstream.ts";

const canary = "canary of a prompt";

type Answering = () => Response;
let answer: Answering = () => new Response();
const upstream = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => answer() });
afterAll(() => upstream.stop(true));

const base = {
  id: "test",
  baseUrl: `http://127.0.0.1:${upstream.port}`,
  credential: noCredential,
  cancelledStream: "billed_as_written",
} as const;
const openai = { ...base, kind: "openai-compatible", quirks: defaultQuirks } as const;
const providers: Readonly<Record<string, Provider>> = {
  openai,
  azure: { ...openai, azure: { form: "deployments", apiVersion: "2024-10-21" } },
  responses: { ...openai, quirks: { ...defaultQuirks, responses: "only" } },
  anthropic: { ...base, kind: "anthropic" },
  "claude of Vertex AI": { ...base, kind: "anthropic", cloud: "vertex" },
  "claude of Bedrock": { ...base, kind: "anthropic", cloud: "bedrock" },
  gemini: { ...base, kind: "google" },
};

const error = { message: `You sent: ${canary}`, type: canary, code: canary, param: canary };
const refusal = { type: "error", error, message: `You sent: ${canary}` };
const cut = { promptFeedback: { blockReason: canary }, candidates: [{ finishReason: canary }] };
const chunk = { id: canary, choices: [{ index: 0, delta: {}, finish_reason: canary }] };
const bodies = [JSON.stringify(refusal), JSON.stringify([refusal]), `<h1>${canary}</h1>`, canary];
const events = [refusal, { type: "response.failed", response: refusal }, cut, chunk, canary];

function* failures(): Iterable<Answering> {
  for (const status of [400, 401, 402, 403, 404, 408, 413, 422, 424, 429, 500, 502, 503, 529]) {
    for (const body of bodies) yield () => new Response(body, { status });
  }
  const json = { "content-type": "application/json" };
  for (const body of bodies) yield () => new Response(body, { headers: json });
  const stream = { "content-type": "text/event-stream" };
  for (const event of events) {
    const data = typeof event === "string" ? event : JSON.stringify(event);
    yield () => new Response(`event: error\ndata: ${data}\n\n`, { headers: stream });
    yield () => new Response(`data: ${data}\n\n`, { headers: stream });
  }
}

async function failureOf(provider: Provider, stream: boolean): Promise<Fault | undefined> {
  const call = {
    provider,
    upstreamModel: "claude-x",
    request: parseStreamed({ stream, max_tokens: 9 }),
    maxTokens: 9,
    coveredTokens: 9,
    omittedFields: [],
    identity: { id: "ours", model: "m", created: 0 },
  };
  const nothing = () => undefined;
  try {
    const answered = await callUpstream({
      ...call,
      endSignal: new AbortController().signal,
      client: { signal: new AbortController().signal, continuesWithoutClient: () => false },
      log: {
        sent: nothing,
        sendsAgain: nothing,
        accepted: nothing,
        answered: nothing,
        failed: nothing,
      },
      limits: streamLimits,
      allowPrivate: true,
    });
    if (answered.kind === "stream") for await (const _ of answered.events);
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown;
    throw thrown;
  }
  return undefined;
}

const attempted = {
  generationId: newId<GenerationId>(),
  requestId: "req_test",
  principal: { accountId: newId<AccountId>() },
};

function openLines(level: "info" | "trace") {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  return { lines, log: createLog({ level, name: "test", destination }) };
}

function failed(upstreamText: string): Fault {
  return new Fault("bad_gateway", "The provider failed.", { upstreamText });
}

test("equal messages have equal hashes, which confirm no guess of a message", () => {
  const { lines, log } = openLines("info");
  const names = {
    call: attempted,
    route: { provider: openai, upstreamModel: "m" },
    modelRequest: { model: { id: "m" } },
  };
  for (const text of [canary, canary, "another"]) {
    reportFailure({ metrics, status, log }, names, failed(text));
  }
  const hashes = lines.map((line) => String(JSON.parse(line).messageHash));
  expect(hashes[0]).toMatch(/^[0-9a-f]{16}$/);
  expect(hashes[1]).toBe(hashes[0]);
  expect(hashes[2]).not.toBe(hashes[0]);
  const unkeyed = new Bun.CryptoHasher("sha256").update(canary).digest("hex");
  expect(unkeyed).not.toStartWith(String(hashes[0]));
});

const metrics = { countUpstreamAttempt: () => undefined };
const status = { countAttempt: () => undefined, countCall: () => undefined };

test.each(Object.entries(providers))(
  "no failure of %s logs what may be a prompt, except at trace",
  async (_, provider) => {
    const [info, trace] = [openLines("info"), openLines("trace")];
    const names = {
      call: attempted,
      route: { provider, upstreamModel: "m" },
      modelRequest: { model: { id: "m" } },
    };
    for (const failure of failures()) {
      answer = failure;
      for (const stream of [true, false]) {
        const fault = await failureOf(provider, stream);
        if (fault === undefined) continue;
        for (const { log } of [info, trace]) reportFailure({ metrics, status, log }, names, fault);
      }
    }
    expect(info.lines.length).toBeGreaterThan(20);
    expect(info.lines.filter((line) => line.includes(canary))).toEqual([]);
    const [hashed] = info.lines.filter((line) => line.includes("messageHash"));
    expect(hashed).toContain('"upstreamStatus":');
    expect(JSON.parse(hashed ?? "")).toMatchObject({
      requestId: attempted.requestId,
      accountId: attempted.principal.accountId,
    });
    expect(trace.lines.some((line) => line.includes(canary))).toBe(true);
  },
);
