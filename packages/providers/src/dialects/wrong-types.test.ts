// A value of another type at every position of every recorded answer: it is read, or refused with a Fault;
// no reader throws anything else. An exception during a call would look like a broken connection.
import { expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import { messagesWholes } from "./anthropic/recorded-wholes.fixture.ts";
import { dialectOf } from "./dialect-of.ts";
import { geminiWholes } from "./gemini/recorded-wholes.fixture.ts";
import { responsesWholes } from "./openai-responses/recorded-wholes.fixture.ts";
import type { RecordedAnswer } from "./recorded-answer.fixture.ts";
import { recordedStreams } from "./recorded-streams.fixture.ts";

const values = [null, true, -1, 1e21, "", "x", [], {}, [null], [[]], [{}], { a: {} }];

/** The value with each of its positions replaced in turn. */
function* replaceEach(value: unknown, by: unknown): Generator<unknown> {
  yield by;
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    for (const changed of replaceEach(inner, by)) {
      yield Array.isArray(value)
        ? value.with(Number(name), changed)
        : { ...value, [name]: changed };
    }
  }
}

/** The body with each position of each of its JSON objects replaced in turn. */
function* damagesOf(body: string, by: unknown): Generator<string> {
  const lines = body.split("\n");
  for (const [at, line] of lines.entries()) {
    const start = line.search(/[{[]/);
    const parsed = start === -1 ? undefined : parse(line.slice(start));
    if (parsed === undefined) continue;
    for (const changed of replaceEach(parsed, by)) {
      yield lines.with(at, line.slice(0, start) + JSON.stringify(changed)).join("\n");
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** In its caller's language, and as if that were the upstream's own. */
function callsOf({ call }: RecordedAnswer): RecordedAnswer["call"][] {
  const { language } = dialectOf(call);
  const { raw, members, parsed } = call.request;
  const own = { ...call.request, raw, members, parsed, asked: parsed, language };
  return [call, { ...call, request: own }];
}

function read(call: RecordedAnswer["call"], body: string): void {
  const dialect = dialectOf(call);
  const headers = new Headers();
  try {
    if (!call.request.stream) {
      dialect.parseWhole(call, body, headers);
      return;
    }
    const reader = dialect.openStream?.(call, { maxEventBytes: 1024 * 1024, headers });
    reader?.push(new TextEncoder().encode(body));
    reader?.end();
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
  }
}

const recorded = [...recordedStreams, ...geminiWholes, ...messagesWholes, ...responsesWholes];
/** Those of Bedrock are Anthropic's events in binary frames. */
const texts = recorded.flatMap((answer) =>
  typeof answer.body === "string" ? [[answer.name, answer, answer.body] as const] : [],
);

test.each(texts)("%s", (_, answer, text) => {
  let damages = 0;
  for (const call of callsOf(answer)) {
    for (const value of values) {
      for (const body of damagesOf(text, value)) {
        read(call, body);
        damages += 1;
      }
    }
  }
  // An answer without any JSON has nothing to replace.
  if (text.includes('{"')) expect(damages).toBeGreaterThan(values.length);
});
