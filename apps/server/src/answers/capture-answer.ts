// Takes a copy of an answer while its client gets it; only of a whole answer is there one.
import type { Answer } from "@turnpike/gateway";
import { recordBody } from "./record-body.ts";
import type { KeptAnswer } from "./seal-answer.ts";

/** A larger answer is not kept; a chat answer of this size has over a million tokens. */
const answerMaxBytes = 4 * 1024 * 1024;

export type CapturedAnswer = {
  /** To be given to the client in place of the original. */
  readonly answer: Answer;
  /** Undefined for an answer that was cut off or refused in its middle. Never rejects. */
  readonly kept: Promise<KeptAnswer | "too_large" | undefined>;
};

export function captureAnswer(answer: Answer): CapturedAnswer {
  const headers = keptHeaders(answer.headers);
  if (typeof answer.body === "string") {
    const { body } = answer;
    const isTooLarge = Buffer.byteLength(body) > answerMaxBytes;
    return { answer, kept: Promise.resolve(isTooLarge ? "too_large" : { headers, body }) };
  }
  const { body, recorded, sent } = recordBody(answer.body, answerMaxBytes);
  const { isWhole } = answer;
  const keep = (text: string | undefined) => {
    if (isWhole?.() !== true) return undefined;
    return text === undefined ? "too_large" : { headers, body: text };
  };
  return {
    answer: { headers: answer.headers, body, sent },
    kept: recorded.then(keep, () => undefined),
  };
}

/** Without what is said of the call and not of its answer. */
function keptHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(headers).filter(
    ([name]) => name !== "server-timing" && !name.startsWith("x-ratelimit-"),
  );
  return Object.fromEntries(kept);
}
