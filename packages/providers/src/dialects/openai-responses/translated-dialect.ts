// OpenAI's Responses API for callers of other protocols, over upstreams that have no chat completions (the
// quirk `responses: only`): every request and every answer is translated.
import { isObject, parseObject, parseText } from "@turnpike/base";
import { type ChatRequest, type DeltaEvent, responsesLanguage } from "@turnpike/wire";
import type { Dialect, OpenaiProvider, WholeAnswer } from "../../provider.ts";
import { isErrorBody } from "../../refusals/parse-error-body.ts";
import { refuse, refusedInside, unreadable } from "../../refusals/refuse.ts";
import { faultOf } from "../../remember-translation.ts";
import { cutAtStops } from "../cut-at-stops.ts";
import { losesField } from "../lost-fields.ts";
import type { ChatCall } from "../openai/build-request.ts";
import { estimateTokens } from "../openai/count-tokens.ts";
import { RetainedBound } from "../retained-bound.ts";
import { textOfDeltas } from "../written-text.ts";
import { nameAsChat } from "./name-as-chat.ts";
import { isEnded, parseFinish, parseResponseUsage, parseUnreadResponse } from "./parse-response.ts";
import { ResponseEventStream } from "./response-event-stream.ts";
import { ResponseItems } from "./response-items.ts";
import { retryWithoutCiphertext } from "./retry-without-ciphertext.ts";
import { TranslatedEvents } from "./translated-events.ts";
import { buildTranslatedRequest, translateConversation } from "./write-request.ts";

const wholeDialect: Dialect<ChatRequest, OpenaiProvider> = {
  language: responsesLanguage,
  buildRequest: buildTranslatedRequest,
  retryAfterRefusal: retryWithoutCiphertext,
  whyUntranslatable: (target, request) => faultOf(() => translateConversation(target, request)),
  losesParameter: (name) => losesField("responses", name),
  openStream(call, options) {
    return new ResponseEventStream(call, new TranslatedEvents(call), options);
  },
  parseWhole,
  parseUnread: parseUnreadResponse,
  refuse: (provider, status, body, headers) => nameAsChat(refuse(provider, status, body, headers)),
};

/** A response has no stop sequences. */
export const translatedResponsesDialect = cutAtStops(wholeDialect, () => false);

/** Reads the body of a 200. Throws the Fault of an error or of a body that is not a response. */
function parseWhole(call: ChatCall, text: string, headers: Headers): WholeAnswer {
  const source = parseObject(text);
  if (!source) throw unreadable();
  if (isErrorBody(source)) throw nameAsChat(refusedInside(source, call.provider, headers));
  if (!Array.isArray(source.output) || !isEnded(source)) throw unreadable();
  const items = new ResponseItems(call, new RetainedBound());
  const said: DeltaEvent[] = joinCalls(items.endAll(source.output.filter(isObject)));
  const { reason, native } = parseFinish(source);
  return {
    kind: "whole",
    upstreamId: parseText(source.id),
    content: { kind: "deltas", deltas: [...said, { kind: "finish", choice: 0, reason }] },
    usage: parseResponseUsage(source, call),
    finish: { reason, native },
    deliveredTokens: estimateTokens(Buffer.byteLength(textOfDeltas(said))),
  };
}

/** Each call in one piece, as a whole answer has it. */
function joinCalls(deltas: readonly DeltaEvent[]): DeltaEvent[] {
  const joined: DeltaEvent[] = [];
  for (const delta of deltas) {
    const last = joined.at(-1);
    if (delta.kind !== "tool_call" || last?.kind !== "tool_call" || last.index !== delta.index) {
      joined.push(delta);
      continue;
    }
    joined[joined.length - 1] = { ...last, arguments: last.arguments + delta.arguments };
  }
  return joined;
}
