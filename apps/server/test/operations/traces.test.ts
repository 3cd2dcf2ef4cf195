// Traces of calls, as a collector receives them: one span per call by the conventions for generative AI, with its parts and
// attempts as children, in the trace of the caller and passed on to the provider; and nothing of the prompt.
import { afterAll, expect, test } from "bun:test";
import {
  at,
  chatBody,
  type JsonObject,
  openAccount,
  openTestSite,
  startTestServer,
  testModels,
} from "../harness/index.ts";

type Value = {
  readonly stringValue?: string;
  readonly intValue?: number;
  readonly arrayValue?: unknown;
};
type Received = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Value }[];
  readonly events: readonly { readonly name: string }[];
  readonly status: { readonly code?: number };
};

type Export = { readonly headers: Headers; readonly text: string };

const exports: Export[] = [];
const collector = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    const { pathname } = new URL(request.url);
    expect(pathname).toBe("/v1/traces");
    exports.push({ headers: request.headers, text: await request.text() });
    return Response.json({});
  },
});
const site = await openTestSite();
afterAll(async () => {
  await site.close();
  await collector.stop(true);
});

/** What a server exports about some calls, from its start to its end. */
async function trace(
  settings: Readonly<Record<string, string>>,
  makeCalls: (ask: (body: JsonObject, traceparent?: string) => Promise<Response>) => Promise<void>,
): Promise<readonly Received[]> {
  exports.length = 0;
  const endpoint = `http://127.0.0.1:${collector.port}/`;
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...settings };
  const server = await startTestServer({ site, environment });
  const { key } = await openAccount(server);
  try {
    await makeCalls(async (body, traceparent) => {
      const answer = await fetch(`${server.baseUrl}/chat/completions`, {
        method: "POST",
        body: JSON.stringify(body),
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          ...(traceparent !== undefined && { traceparent }),
        },
      });
      await answer.text();
      return answer;
    });
  } finally {
    await server.close();
  }
  return exports.flatMap(({ text }) =>
    JSON.parse(text).resourceSpans.flatMap((resource: { scopeSpans: { spans: Received[] }[] }) =>
      resource.scopeSpans.flatMap(({ spans }) => spans),
    ),
  );
}

function attributesOf(span: Received | undefined): Readonly<Record<string, unknown>> {
  const pairs = (span?.attributes ?? []).map(({ key, value }) => {
    return [key, value.stringValue ?? value.intValue ?? value.arrayValue];
  });
  return Object.fromEntries(pairs);
}

const [server, client, internal, error] = [2, 3, 1, 2];
const callerTrace = "0af7651916cd43dd8448eb211c80319c";
const callerSpan = "b7ad6b7169203331";

test("a streamed call is a span in the trace of its caller, with its parts and its attempt", async () => {
  const body = chatBody({ deltas: 3 }, { stream: true });
  const prompt = String(at(body, "messages.0.content"));
  const from = site.upstream.requests.length;
  const settings = { OTEL_EXPORTER_OTLP_HEADERS: "x-collector-key=secret%20key" };
  let requestId: string | null = null;
  const spans = await trace(settings, async (ask) => {
    const answer = await ask(body, `00-${callerTrace}-${callerSpan}-01`);
    expect(answer.status).toBe(200);
    requestId = answer.headers.get("x-request-id");
  });
  const call = spans.find(({ kind }) => kind === server);
  const children = spans.filter(({ parentSpanId }) => parentSpanId === call?.spanId);
  expect(call).toMatchObject({
    name: `chat ${testModels.cheap}`,
    traceId: callerTrace,
    parentSpanId: callerSpan,
  });
  expect(attributesOf(call)).toMatchObject({
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": testModels.cheap,
    "gen_ai.provider.name": "scripted",
    "gen_ai.usage.output_tokens": expect.any(Number),
    "http.response.status_code": 200,
    "turnpike.outcome": "completed",
    "turnpike.request_id": requestId,
  });
  expect(children.map(({ name, kind }) => `${name} ${kind}`).toSorted()).toEqual([
    `authenticate ${internal}`,
    `charge ${internal}`,
    `chat upstream-cheap ${client}`,
    `hold ${internal}`,
  ]);
  const attempt = children.find(({ kind }) => kind === client);
  expect(attempt?.events.map(({ name }) => name)).toEqual(["first_token"]);
  for (const { startTimeUnixNano: start, endTimeUnixNano: end } of spans) {
    expect(BigInt(end)).toBeGreaterThanOrEqual(BigInt(start));
    // Not a time since the process began.
    expect(Math.abs(Number(BigInt(start) / 1_000_000n) - Date.now())).toBeLessThan(600_000);
  }
  const asked = site.upstream.requests.slice(from);
  expect(asked.map(({ headers }) => headers.traceparent)).toEqual([
    `00-${callerTrace}-${attempt?.spanId}-01`,
  ]);
  expect(exports[0]?.headers.get("x-collector-key")).toBe("secret key");
  expect(prompt.length).toBeGreaterThan(5);
  for (const { text } of exports) {
    expect(text).not.toContain(JSON.stringify(prompt).slice(1, -1));
    expect(text).not.toContain("sk-tp-");
  }
});

test("failed and refused calls say why, without a caller's trace they begin one", async () => {
  const spans = await trace({}, async (ask) => {
    await ask(chatBody({ status: 500 }));
    await ask(chatBody({}, { model: "no/such" }), "not a traceparent");
  });
  const calls = spans.filter(({ kind }) => kind === server);
  expect(calls).toHaveLength(2);
  expect(new Set(calls.map(({ traceId }) => traceId)).size).toBe(2);
  for (const call of calls) {
    expect(call.parentSpanId ?? "").toBe("");
    expect(call.status.code).toBe(error);
  }
  const types = calls.map((call) => attributesOf(call)["error.type"]);
  expect(types.toSorted()).toEqual(["bad_gateway", "model_not_found"]);
  const attempts = spans.filter(({ kind }) => kind === client);
  expect(attempts.length).toBeGreaterThan(0);
  for (const attempt of attempts) expect(attributesOf(attempt)["error.type"]).toBe("bad_gateway");
});

test("what is not sampled is not exported, and providers get no header", async () => {
  const from = site.upstream.requests.length;
  const notSampled = `00-${callerTrace}-${callerSpan}-00`;
  expect(await trace({}, async (ask) => void (await ask(chatBody({}), notSampled)))).toEqual([]);
  const ratio = { OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0" };
  expect(await trace(ratio, async (ask) => void (await ask(chatBody({}))))).toEqual([]);
  const asked = site.upstream.requests.slice(from);
  expect(asked).toHaveLength(2);
  for (const { headers } of asked) expect(headers.traceparent).toBeUndefined();
});
