// A GenerateContentResponse: an upstream's own with our bill, or one put together from typed deltas.
import { isObject, type JsonObject } from "@turnpike/base";
import { setMembers } from "../json/set-members.ts";
import { chatContent } from "../protocol/chat-content.ts";
import type { AnswerContent, AnswerIdentity, Bill, DeltaEvent } from "../protocol/pivot.ts";
import type { GeminiRequest } from "./parse-gemini-request.ts";
import { usageMetadata } from "./present-usage.ts";
import { joinParts, PartWriter } from "./write-parts.ts";

export function writeResponse(
  answer: AnswerContent,
  identity: AnswerIdentity,
  bill: Bill | undefined,
  request: GeminiRequest,
): string {
  const content = chatContent(answer);
  if (content.kind === "body") {
    const { body, text = JSON.stringify(body) } = content;
    return bill === undefined ? text : withBilledUsage(text, body.usageMetadata, bill);
  }
  const response: JsonObject = { candidates: candidatesOf(content.deltas, request) };
  if (bill !== undefined) response.usageMetadata = usageMetadata(bill);
  return JSON.stringify({ ...response, ...identityMembers(identity) });
}

/** `json`, a response whose usage was `reported`, with what was billed and no other byte changed. */
export function withBilledUsage(json: string, reported: unknown, bill: Bill): string {
  return setMembers(json, { usageMetadata: JSON.stringify(joinUsage(reported, bill)) });
}

/** Everything in the upstream's usage except the counts is kept; the counts are those of the bill. */
function joinUsage(reported: unknown, bill: Bill): JsonObject {
  const usage = usageMetadata(bill);
  if (!isObject(reported)) return usage;
  const { promptTokensDetails = usage.promptTokensDetails, toolUsePromptTokenCount: ofTools } =
    reported;
  // Results of Google's own tools are billed as a part of the prompt, and stand beside it there.
  const promptTokens = bill.usage.promptTokens - (typeof ofTools === "number" ? ofTools : 0);
  const promptTokenCount = Math.max(promptTokens, 0);
  return { ...reported, ...usage, promptTokenCount, promptTokensDetails };
}

/** What every response ends with. */
export function identityMembers({ id, model, created }: AnswerIdentity): JsonObject {
  const createTime = new Date(created * 1000).toISOString();
  return { modelVersion: model, responseId: id, createTime };
}

function candidatesOf(deltas: readonly DeltaEvent[], request: GeminiRequest): JsonObject[] {
  const candidates = new Map<
    number,
    { readonly writer: PartWriter; readonly parts: JsonObject[] }
  >();
  for (const delta of deltas) {
    const candidate = candidates.get(delta.choice) ?? {
      writer: new PartWriter(request),
      parts: [],
    };
    candidates.set(delta.choice, candidate);
    candidate.parts.push(...candidate.writer.write(delta));
  }
  if (candidates.size === 0) candidates.set(0, { writer: new PartWriter(request), parts: [] });
  return [...candidates].map(([index, { writer, parts }]) =>
    candidateOf(joinParts([...parts, ...writer.end()]), index, writer.ending),
  );
}

export function candidateOf(
  parts: readonly JsonObject[],
  index: number,
  ending: JsonObject = {},
): JsonObject {
  return { content: { parts, role: "model" }, ...ending, index };
}
