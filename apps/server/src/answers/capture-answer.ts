// Copies an answer while its client receives it; only answers that were charged have a copy.
import type { Answer } from "@turnpike/gateway";
import { encodingOf } from "./body-form.ts";
import { recordBody } from "./record-body.ts";
import type { KeptAnswer } from "./seal-answer.ts";

/** A larger answer is not kept: a chat answer of a quarter of it has over a million tokens, and several images fit. */
const answerMaxBytes = 16 * 1024 * 1024;

export type CapturedAnswer = {
  /** To be sent to the client instead of the original. */
  readonly answer: Answer;
  /** Never rejects. */
  readonly kept: Promise<AnswerCopy>;
};

/**
 * `not_kept` is an answer that is paid for but is too large, or was not returned as complete. Undefined is
 * one that was refused or broke off free of charge: the call may run again.
 */
export type AnswerCopy = KeptAnswer | "not_kept" | undefined;

export function captureAnswer(answer: Answer): CapturedAnswer {
  const headers = keptHeaders(answer.headers);
  if (typeof answer.body === "string") {
    const { body } = answer;
    const isTooLarge = Buffer.byteLength(body) > answerMaxBytes;
    return { answer, kept: Promise.resolve(isTooLarge ? "not_kept" : { headers, body }) };
  }
  const { body, recorded, sent } = recordBody(answer.body, answerMaxBytes, encodingOf(headers));
  const keep = async (text: string | undefined): Promise<AnswerCopy> => {
    const how = (await answer.ended) ?? "broken";
    if (how === "broken") return undefined;
    if (how === "undelivered" || text === undefined) return "not_kept";
    return { headers, body: text, ...(how === "broken_charged" && { isBroken: true }) };
  };
  return {
    answer: { ...answer, body, sent },
    kept: recorded.catch(() => undefined).then(keep),
  };
}

/** Without the headers that describe the call and not its answer. */
function keptHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(headers).filter(
    ([name]) => name !== "server-timing" && !name.startsWith("x-ratelimit-"),
  );
  return Object.fromEntries(kept);
}
