// The HTTP side of `Idempotency-Key`: reads the header and answers a repetition like a separate call,
// counted in the metrics and never billed.
import { Fault, parseBearer } from "@turnpike/base";
import type { Answer, Call } from "@turnpike/gateway";
import type { ParsedRequest } from "@turnpike/wire";
import type { Services } from "../../services.ts";
import { persistRepeated } from "./stored-items.ts";

export const idempotencyHeader = "Idempotency-Key";
const keyMaxChars = 255;

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
  const idempotencyKey = parseIdempotencyKey(headers);
  const apiKey = parseBearer(headers);
  const { language: spoken, addressed } = protocol;
  const language = addressed === undefined ? spoken : `${spoken}\n${addressed}`;
  const keyed = { call, apiKey, idempotencyKey, language, text, signal, onWait };
  const entry = await idempotentCalls.enter(keyed);
  if (entry.kind === "run")
    return entry.complete((runSignal) => run({ ...call, signal: runSignal }));
  call.record.isRecorded = true;
  gateway.metrics.requestEnded({ model: undefined, status: 200, outcome: "repeated" });
  call.trace?.end({ status: 200, outcome: "repeated", accountId: call.principal.accountId });
  return persistRepeated(services, call, entry.answer);
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
