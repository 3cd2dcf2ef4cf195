// Streams as Amazon Bedrock sends them: Anthropic's events in the frames of an AWS event stream, including
// exceptions, and frames that were damaged on their way.
import { encodeEventFrame, encodeException, encodeModelEvent } from "@turnpike/testing";
import { messagesStreams } from "./anthropic/recorded-messages.fixture.ts";
import { bytesOf, type RecordedAnswer } from "./recorded-answer.fixture.ts";

/** The JSON of each event of a recorded stream. */
function eventsOf(recorded: RecordedAnswer): string[] {
  const text = new TextDecoder().decode(bytesOf(recorded));
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, json = ""]) => json);
}

function onBedrock(
  recorded: RecordedAnswer,
  name: string,
  frames: readonly Buffer[],
): RecordedAnswer {
  const { provider } = recorded.call;
  if (provider.kind !== "anthropic") throw new Error("a stream of another dialect");
  return {
    ...recorded,
    name: `bedrock: ${name}`,
    call: { ...recorded.call, provider: { ...provider, cloud: "bedrock" } },
    body: Buffer.concat(frames),
  };
}

/** A few: the frames contain Anthropic's own events, and each byte of them is a cut point. */
const plain = messagesStreams.filter(({ name }) => /: text$|thinking|before the first/.test(name));
const wrapped = plain.map((recorded) =>
  onBedrock(
    recorded,
    recorded.name.replace("anthropic: ", ""),
    eventsOf(recorded).map(encodeModelEvent),
  ),
);

const [first] = plain;
if (first === undefined) throw new Error("no stream of plain text");
const begun = eventsOf(first).map(encodeModelEvent);
/** Up to the first piece of text: `message_start`, `ping`, the block, its text. */
const atFirstText = eventsOf(first).findIndex((json) => json.includes("text_delta")) + 1;
const said = begun.slice(0, atFirstText);
const { text } = JSON.parse(eventsOf(first)[atFirstText - 1] ?? "").delta;

function flipped(frame: Buffer | undefined, at: number): Buffer {
  const damaged = Buffer.from(frame ?? "");
  damaged.writeUInt8(damaged.readUInt8(at) ^ 1, at);
  return damaged;
}

const next = begun[atFirstText];
const broken = { text, upstreamId: "msg_upstream", fault: "bad_gateway" } as const;
const failures: readonly (readonly [string, readonly Buffer[], RecordedAnswer["says"]])[] = [
  [
    "throttled before the first token",
    [encodeException("throttlingException", { message: "Too many requests." })],
    { fault: "upstream_rate_limited", retryAfterMs: 1000 },
  ],
  [
    "unavailable before the first token",
    [encodeException("serviceUnavailableException", { message: "Try again." })],
    { fault: "upstream_overloaded", retryAfterMs: 1000 },
  ],
  [
    "an input that is too long, after the stream has begun",
    [encodeException("validationException", { message: "Input is too long for requested model." })],
    { fault: "context_length_exceeded" },
  ],
  [
    "an error of the model inside the answer",
    [
      ...said,
      encodeException("modelStreamErrorException", { message: "Oops.", originalStatusCode: 500 }),
    ],
    broken,
  ],
  ["throttled inside the answer", [...said, encodeException("throttlingException", {})], broken],
  [
    "an error that is not an exception",
    [
      ...said,
      encodeEventFrame(
        { ":message-type": "error", ":error-code": "InternalError", ":error-message": "Oops." },
        "",
      ),
    ],
    broken,
  ],
  ["a damaged payload", [...said, flipped(next, (next?.length ?? 0) - 30)], broken],
  ["a damaged checksum", [...said, flipped(next, (next?.length ?? 0) - 1)], broken],
  ["a damaged length", [...said, flipped(next, 2)], broken],
  ["an end before message_stop", said, broken],
];

export const bedrockStreams: readonly RecordedAnswer[] = [
  ...wrapped,
  ...failures.map(([name, frames, says]) => ({ ...onBedrock(first, name, frames), says })),
];
