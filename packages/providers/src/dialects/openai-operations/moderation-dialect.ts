// Moderations as OpenAI serves them under `/moderations`, and Mistral with categories of its own, which are passed on.
import { isObject, type JsonObject, parseObject, parseText } from "@turnpike/base";
import { type ModerationRequest, moderationsLanguage, type TokenUsage } from "@turnpike/wire";
import type { Dialect, OpenaiProvider, UpstreamCall, WholeAnswer } from "../../provider.ts";
import { refuse, unreadable } from "../../refusals/refuse.ts";
import { acceptBody, acceptUnread } from "../accept-body.ts";
import { countIn, noTokens, operationRequest } from "./operation-answer.ts";

type ModerationCall = UpstreamCall<ModerationRequest, OpenaiProvider>;

export const moderationDialect: Dialect<ModerationRequest, OpenaiProvider> = {
  language: moderationsLanguage,
  buildRequest(call) {
    const { request, upstreamModel } = call;
    return operationRequest(call, "/moderations", { model: upstreamModel, input: request.input });
  },
  parseWhole(call, text, headers): WholeAnswer {
    const body = acceptBody(parseObject(text), call, headers);
    return {
      kind: "whole",
      upstreamId: parseText(body.id),
      content: { kind: "moderation", results: parseResults(call, body) },
      usage: parseModerationUsage(body),
      finish: null,
      deliveredTokens: 0,
    };
  },
  parseUnread: (call, members, headers) =>
    acceptUnread(members, call, headers, parseModerationUsage),
  refuse,
};

/** As many as were asked for: a text without a verdict would pass for harmless. */
function parseResults({ request }: ModerationCall, { results }: JsonObject): JsonObject[] {
  if (!Array.isArray(results) || results.length !== request.inputCount) throw unreadable();
  if (!results.every(isObject)) throw unreadable();
  return results;
}

/** OpenAI's are free and report nothing; undefined then. */
function parseModerationUsage({ usage }: JsonObject): TokenUsage | undefined {
  const tokens = countIn(usage, "prompt_tokens", "total_tokens", "input_tokens");
  return tokens === undefined ? undefined : { ...noTokens, promptTokens: tokens };
}
