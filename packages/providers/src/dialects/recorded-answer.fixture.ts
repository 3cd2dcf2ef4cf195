// Answers of upstreams as they come over the wire, and what they say. The contract test reads each of them
// however the network may cut it.
import type { FaultCode } from "@turnpike/base";
import type { ChatRequest, DeltaEvent, TokenUsage } from "@turnpike/wire";
import type { StreamEvent, UpstreamCall, WholeAnswer } from "../provider.ts";

export type RecordedAnswer = {
  readonly name: string;
  readonly call: UpstreamCall<ChatRequest>;
  /** The body, whole or streamed as `call` asks; bytes where it is not text. */
  readonly body: string | Uint8Array;
  readonly says: Partial<Said>;
};

export function bytesOf({ body }: RecordedAnswer): Uint8Array {
  return typeof body === "string" ? new TextEncoder().encode(body) : body;
}

/** What an answer says, put together. Compared without the ids that a dialect makes up. */
export type Said = {
  readonly text: string;
  readonly reasoning: string;
  /** Of reasoning, and blocks that only the provider can read, in their order. */
  readonly signatures: readonly string[];
  readonly calls: readonly SaidCall[];
  /** Of the choices beyond the first. */
  readonly others: readonly string[];
  readonly finishes: readonly (readonly [reason: string, native: string])[];
  readonly usage: TokenUsage | undefined;
  readonly fault: FaultCode | undefined;
  readonly retryAfterMs: number | undefined;
  readonly upstreamId: string | undefined;
};

type SaidCall = {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  readonly extra?: unknown;
  readonly isCustom?: boolean;
};

export const silence: Said = {
  text: "",
  reasoning: "",
  signatures: [],
  calls: [],
  others: [],
  finishes: [],
  usage: undefined,
  fault: undefined,
  retryAfterMs: undefined,
  upstreamId: undefined,
};

/** Made up by a dialect where its upstream gives no id. */
const ownId = /^call_[0-9a-f]{24}$/;
export const anyId = "made up";

export function saidByStream(events: readonly StreamEvent[]): Said {
  const deltas = events.flatMap((event) => (event.kind === "deltas" ? event.deltas : []));
  const finishes = events.flatMap((event) =>
    event.kind === "finish" ? [[event.reason, event.native] as const] : [],
  );
  const usage = events.findLast((event) => event.kind === "usage")?.usage;
  return { ...saidByDeltas(deltas), finishes, usage };
}

export function saidByWhole({ content, finish, usage, upstreamId }: WholeAnswer): Said {
  if (content.kind === "body") throw new Error("an answer in the upstream's own language");
  const finishes = finish === null ? [] : [[finish.reason, finish.native] as const];
  return { ...saidByDeltas(content.deltas), finishes, usage, upstreamId };
}

function saidByDeltas(deltas: readonly DeltaEvent[]): Said {
  const first = deltas.filter(({ choice }) => choice === 0);
  const calls = new Map<number, SaidCall>();
  for (const delta of first) {
    if (delta.kind !== "tool_call") continue;
    const { index, id = "", name = "", extra, isCustom } = delta;
    const begun = calls.get(index) ?? {
      id: ownId.test(id) ? anyId : id,
      name,
      arguments: "",
      ...(extra && { extra }),
      ...(isCustom && { isCustom }),
    };
    calls.set(index, { ...begun, arguments: begun.arguments + delta.arguments });
  }
  const choices = [...new Set(deltas.map(({ choice }) => choice))].filter((choice) => choice > 0);
  return {
    ...silence,
    text: textOf(first, "text"),
    reasoning: textOf(first, "reasoning"),
    signatures: first.flatMap((delta) => {
      if (delta.kind === "reasoning_encrypted") return [delta.data];
      return delta.kind === "reasoning" && delta.signature !== undefined ? [delta.signature] : [];
    }),
    calls: [...calls.values()],
    others: choices.map((index) =>
      textOf(
        deltas.filter(({ choice }) => choice === index),
        "text",
      ),
    ),
  };
}

function textOf(deltas: readonly DeltaEvent[], kind: "text" | "reasoning"): string {
  return deltas.map((delta) => (delta.kind === kind ? delta.text : "")).join("");
}
