// The HTTP side of `Idempotency-Key`: reads the header and answers a repetition like a separate call,
// counted in the metrics and never billed.
import { Fault, parseBearer } from "@turnpike/base";
import type { Answer, Call } from "@turnpike/gateway";
import type { Operation } from "@turnpike/terms";
import type { ParsedRequest, Protocol } from "@turnpike/wire";
import type { Entry, IdempotentCalls } from "../../answers/idempotent-calls.ts";
import type { KeyedCall } from "../../answers/run-once.ts";
import type { Services } from "../../services.ts";
import { persistRepeated } from "./stored-items.ts";

export const idempotencyHeader = "Idempotency-Key";
const keyMaxChars = 255;

/** What OpenAI's SDKs say of an attempt: 0 for the first. */
const attemptHeader = "x-stainless-retry-count";
/** Operations that take so long that clients give up on a call which goes on, and send it again. */
const joinedOperations: ReadonlySet<Operation> = new Set(["image"]);
const joinMs = 15 * 60_000;

/**
 * Whether a call may be the same as another: its caller says so, or it is an attempt of an SDK that may be followed by others. A
 * first attempt is always a call of its own: programs ask for several images by several equal calls.
 */
export function mayBeRepeated(
  { headers }: Request,
  { operation }: Pick<Protocol, "operation">,
): boolean {
  if (headers.has(idempotencyHeader)) return true;
  return joinedOperations.has(operation) && /^\d{1,2}$/.test(headers.get(attemptHeader) ?? "");
}

/** Answers by `run`, or as an earlier call under the same key was answered, which may still run: see `onWait`. */
export async function completeOnce<Parsed extends ParsedRequest>(
  services: Pick<Services, "config" | "gateway" | "idempotentCalls" | "itemStore">,
  call: Call<Parsed>,
  run: (call: Call<Parsed>) => Promise<Answer>,
  onWait: () => void,
): Promise<Answer> {
  const { gateway, idempotentCalls } = services;
  // The playground has no key to seal an answer with, and sends no such header.
  if (call.principal.keyId === null) return run(call);
  const { protocol, text, headers, signal } = call;
  const isNamed = headers.has(idempotencyHeader);
  const apiKey = parseBearer(headers);
  const { language: spoken, addressed } = protocol;
  const language = addressed === undefined ? spoken : `${spoken}\n${addressed}`;
  const common = { call, apiKey, language, text, signal, onWait };
  const entry = isNamed
    ? await idempotentCalls.enter({ ...common, idempotencyKey: parseIdempotencyKey(headers) })
    : await enterAttempt(idempotentCalls, { ...common, ...attemptOf(call) }, headers);
  if (entry === undefined) return run(call);
  if (entry.kind === "run")
    return entry.complete((runSignal) => run({ ...call, signal: runSignal }));
  call.record.isRecorded = true;
  gateway.metrics.requestEnded({ model: undefined, status: 200, outcome: "repeated" });
  call.trace?.end({ status: 200, outcome: "repeated", accountId: call.principal.accountId });
  return persistRepeated(services, call, entry.answer);
}

/** The name that attempts of one request share: no caller can send it, for it is no printable text. */
function attemptOf({ text }: Pick<Call<ParsedRequest>, "text">) {
  const hash = new Bun.CryptoHasher("sha256").update(text).digest("hex");
  return { idempotencyKey: `\0${hash}`, keepMs: joinMs };
}

/** Undefined for a first attempt while another one has the name. */
function enterAttempt(
  calls: IdempotentCalls,
  keyed: KeyedCall,
  headers: Headers,
): Promise<Entry | undefined> {
  const isFirst = Number(headers.get(attemptHeader)) === 0;
  // Whatever keeps it from having the name, it is a call of its own.
  return isFirst ? calls.enterIfFree(keyed).catch(() => undefined) : calls.enter(keyed);
}

export function parseIdempotencyKey(headers: Headers): string {
  const key = headers.get(idempotencyHeader) ?? "";
  if (/^[\x20-\x7e]+$/.test(key) && key.length <= keyMaxChars) return key;
  throw new Fault(
    "invalid_value",
    `Invalid '${idempotencyHeader}': expected 1 to ${keyMaxChars} printable ASCII characters.`,
    { param: idempotencyHeader },
  );
}
