// Damaged answers of every dialect through every protocol, whole and streamed: whatever an upstream sends,
// the client's answer follows its protocol, no broken answer is called complete, and what was delivered is
// billed. An ordinary run damages a thousand answers: some twenty of each protocol, dialect and way. SEED
// repeats a run.
import { afterAll, expect, test } from "bun:test";
import { streamLimits } from "@turnpike/providers";
import { runsOf, searchTimeoutMs } from "@turnpike/testing";
import fc from "fast-check";
import {
  asObject,
  expectCleanBooks,
  type JsonObject,
  openAccount,
  startTestServer,
  waitForSettled,
} from "../harness/index.ts";
import { type RequestRow, readRequests } from "../money/read-requests.ts";
import {
  checkChatBody,
  checkChatStream,
  checkCompletionsBody,
  checkCompletionsStream,
} from "./check-chat.fixture.ts";
import { checkError, type Verdict } from "./check-frames.fixture.ts";
import { checkGeminiBody, checkGeminiStream } from "./check-gemini.fixture.ts";
import { checkMessagesBody, checkMessagesStream } from "./check-messages.fixture.ts";
import { checkResponsesBody, checkResponsesStream } from "./check-responses.fixture.ts";
import { changes, corrupt, hugeChars, share } from "./corrupt-answer.fixture.ts";
import { dialects, endMarks, type Recorded, recordAnswers } from "./record-answers.fixture.ts";
import { type Answer, serveBytes } from "./serve-bytes.fixture.ts";

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
const count = runsOf({ short: 1_000, long: 30_000 });
const atOnce = 16;

type Protocol = {
  readonly path: string;
  /** Where the model and the way are a part of the path. */
  readonly pathOf?: (model: string, stream: boolean) => string;
  readonly ask: (text: string) => JsonObject;
  /** `isOwn`: the upstream uses the same language. */
  readonly checkStream: (stream: string, isOwn: boolean) => Verdict;
  readonly checkBody: (body: JsonObject) => Verdict;
  readonly own: (typeof dialects)[number] | undefined;
  readonly errorMembers: readonly string[];
};

const tools = ["get_weather", "get_time"];
const parameters = { type: "object", properties: { city: { type: "string" } } };

const protocols: Readonly<Record<string, Protocol>> = {
  chat: {
    path: "/chat/completions",
    ask: (content) => ({
      messages: [{ role: "user", content }],
      stream_options: { include_usage: true },
      tools: tools.map((name) => ({ type: "function", function: { name, parameters } })),
    }),
    checkStream: checkChatStream,
    checkBody: checkChatBody,
    own: "openai",
    errorMembers: ["type"],
  },
  completions: {
    path: "/completions",
    ask: (prompt) => ({ prompt, max_tokens: 500 }),
    checkStream: checkCompletionsStream,
    checkBody: checkCompletionsBody,
    own: undefined,
    errorMembers: ["type"],
  },
  responses: {
    path: "/responses",
    ask: (input) => ({
      input,
      tools: tools.map((name) => ({ type: "function", name, parameters })),
    }),
    checkStream: checkResponsesStream,
    checkBody: checkResponsesBody,
    own: "openai-responses",
    errorMembers: ["type"],
  },
  messages: {
    path: "/messages",
    ask: (content) => ({
      max_tokens: 500,
      messages: [{ role: "user", content }],
      tools: tools.map((name) => ({ name, input_schema: parameters })),
    }),
    checkStream: checkMessagesStream,
    checkBody: checkMessagesBody,
    own: "anthropic",
    errorMembers: ["type"],
  },
  gemini: {
    path: "/models",
    pathOf: (model, stream) =>
      `/models/${model}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    ask: (text) => ({
      contents: [{ parts: [{ text }] }],
      tools: [{ functionDeclarations: tools.map((name) => ({ name, parameters })) }],
    }),
    checkStream: checkGeminiStream,
    checkBody: checkGeminiBody,
    own: "gemini",
    errorMembers: ["status"],
  },
};

const answers: Answer[] = [];
const upstream = await serveBytes((number) => answers[number] ?? raise(`no answer ${number}`));
const server = await startTestServer({
  limits: { stream: { ...streamLimits, maxEventBytes: hugeChars - 5_000 } },
  catalog: () => `
providers:
  - { id: openai-like, baseUrl: "${upstream.baseUrl}" }
  - { id: anthropic-like, kind: anthropic, baseUrl: "${upstream.baseUrl}", apiKey: "k" }
  - { id: gemini-like, kind: google, baseUrl: "${upstream.baseUrl}", apiKey: "k" }
  - { id: openai-responses-like, baseUrl: "${upstream.baseUrl}", quirks: { responses: only } }
models:
${dialects
  .map(
    (dialect) => `
  - id: fuzz/${dialect}
    contextTokens: 100000
    maxOutputTokens: 10000
    capabilities: [tools, reasoning]
    reasoning: visible
    routes: [{ provider: ${dialect}-like, model: upstream-model }]
    prices: { input: "1", output: "2" }`,
  )
  .join("")}
`,
});
const unhandled: unknown[] = [];
const onUnhandled = (thrown: unknown) => unhandled.push(thrown);
process.on("unhandledRejection", onUnhandled);
afterAll(async () => {
  process.off("unhandledRejection", onUnhandled);
  await server.close();
  upstream.close();
});

type Case = {
  readonly protocol: Protocol;
  readonly recorded: Recorded;
  readonly changes: Parameters<typeof corrupt>[1];
  readonly tears: readonly number[];
  readonly isCut: boolean;
};

function casesOf(recorded: readonly Recorded[]): fc.Arbitrary<Case> {
  const anyOf = <Value>(list: readonly Value[]) => fc.constantFrom(...list);
  const rest = {
    changes,
    tears: fc.array(share, { maxLength: 3 }),
    isCut: fc.constantFrom(...Array.from({ length: 9 }, () => false), true),
  };
  const pairs = Object.values(protocols).map((protocol) => {
    const own = recorded.filter(({ dialect, stream }) => stream && dialect === protocol.own);
    const every = fc.record({
      ...rest,
      protocol: fc.constant(protocol),
      recorded: anyOf(recorded),
    });
    if (own.length === 0) return every;
    // Answers that pass without translation are checked least.
    return fc.oneof(
      { weight: 2, arbitrary: every },
      fc.record({ ...rest, protocol: fc.constant(protocol), recorded: anyOf(own) }),
    );
  });
  return fc.oneof(...pairs);
}

function answerOf({ recorded, changes: list, tears, isCut }: Case): Answer {
  const bytes = Buffer.from(corrupt(recorded.body, list));
  const places = tears.map((at) => Math.floor(at * bytes.length)).sort((a, b) => a - b);
  const ends = [...places, bytes.length];
  const pieces = ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end));
  return { stream: recorded.stream, pieces, isCut };
}

/** A 500 would be our bug. */
const refusals = new Set([400, 404, 409, 413, 422, 429, 502, 503, 529]);

type Outcome = Verdict & { readonly status: number };

async function run({ protocol, recorded }: Case, number: number, key: string): Promise<Outcome> {
  const { dialect, stream } = recorded;
  const { stream_options: options, ...fields } = protocol.ask(`case-${number} end`);
  const path = protocol.pathOf?.(`fuzz/${dialect}`, stream) ?? protocol.path;
  const answer = await fetch(`${server.baseUrl}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "user-agent": `fuzz-${number}` },
    body: JSON.stringify({
      model: `fuzz/${dialect}`,
      ...fields,
      ...(stream && { stream, ...(options !== undefined && { stream_options: options }) }),
    }),
  });
  const { status } = answer;
  const text = await answer.text();
  try {
    if (status !== 200) {
      if (!refusals.has(status)) throw new Error("another status");
      checkError(asObject(JSON.parse(text)), protocol.errorMembers);
      return { status, ended: "failed", text: "" };
    }
    const isOwn = protocol.own === dialect;
    const verdict = stream
      ? protocol.checkStream(text, isOwn)
      : protocol.checkBody(asObject(JSON.parse(text)));
    return { status, ...verdict };
  } catch (error) {
    throw new Error(`${String(error)}\n--- the client was sent ${status}\n${text}`, {
      cause: error,
    });
  }
}

/** What must be true of a case besides the format of its answer. */
function checkOutcome(each: Case, outcome: Outcome, row: RequestRow | undefined): void {
  if (row === undefined) throw new Error("the call was not recorded");
  if (outcome.status !== 200) expect(row.chargedNanos).toBe(0n);
  if (outcome.text !== "") {
    expect(row.usageSource).not.toBe("none");
    if (row.usageSource !== "upstream") expect(row.completionTokens).toBeGreaterThan(0);
  }
  if (outcome.ended === "whole") expect(row.outcome).toBe("completed");
  const { recorded, changes: list, isCut } = each;
  if (list.length === 0 && !isCut) expect(outcome.ended).toBe("whole");
  const [only] = list;
  if (list.length !== 1 || only === undefined) return;
  const isHuge = only.kind === "add" && only.text.length > hugeChars;
  // Before the end, an event beyond the limit ends the stream.
  if (isHuge && recorded.stream && only.event < 0.5) expect(outcome.ended).toBe("failed");
  if (only.kind !== "cut") return;
  const kept = recorded.body.slice(0, Math.floor(only.at * recorded.body.length));
  if (!endMarks[recorded.dialect].test(kept)) expect(outcome.ended).toBe("failed");
}

test(
  `${count} damaged answers reach clients as their protocols allow, and are billed`,
  async () => {
    console.log(`seed of the damaged answers: SEED=${seed}`);
    const account = await openAccount(server, { usd: "1000" });
    const cases = fc.sample(casesOf(await recordAnswers(server.upstream)), {
      seed,
      numRuns: count,
    });
    for (const each of cases) answers.push(answerOf(each));
    const outcomes = new Map<number, Outcome | Error>();
    const waiting = cases.entries();
    const work = async () => {
      for (const [number, each] of waiting) {
        outcomes.set(
          number,
          await run(each, number, account.key).catch((error: unknown) => error as Error),
        );
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    expect(await waitForSettled(server)).toBe(0);
    const rows = await readRequests(server);
    const seen = { whole: 0, failed: 0 };
    const failures: Error[] = [];
    for (const [number, each] of cases.entries()) {
      try {
        const outcome = outcomes.get(number) ?? raise("no outcome");
        if (outcome instanceof Error) throw outcome;
        checkOutcome(each, outcome, rows.get(`fuzz-${number}`));
        seen[outcome.ended] += 1;
      } catch (error) {
        const what = describe(each, number, rows.get(`fuzz-${number}`));
        failures.push(new Error(what, { cause: error }));
      }
    }
    const summary = failures.map(({ cause }) => String(cause).slice(0, 160).split("\n")[0]);
    if (failures[0] !== undefined) throw new Error(summary.join("\n"), { cause: failures[0] });
    console.log(`the damaged answers ended ${JSON.stringify(seen)}`);
    expect(Math.min(seen.whole, seen.failed)).toBeGreaterThan(count / 20);
    expect(unhandled).toEqual([]);
    await expectCleanBooks(server);
  },
  searchTimeoutMs,
);

function describe(each: Case, number: number, row: RequestRow | undefined): string {
  const { protocol, recorded, changes: list, isCut } = each;
  const sent = new TextDecoder().decode(Buffer.concat([...(answers[number]?.pieces ?? [])]));
  return [
    `SEED=${seed}, case ${number}: ${protocol.path} over ${recorded.dialect}`,
    JSON.stringify({ stream: recorded.stream, list, isCut }),
    `outcome ${row?.outcome}, usage ${row?.usageSource}, tokens ${row?.completionTokens}`,
    `--- the upstream sent\n${sent.slice(0, 6_000)}`,
  ].join("\n");
}

function raise(what: string): never {
  throw new Error(what);
}
