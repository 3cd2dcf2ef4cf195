// The body sent to Anthropic: the caller's own, edited where necessary and byte for byte the same
// elsewhere, or a chat completions request written as messages.
import type { JsonObject } from "@turnpike/base";
import { editJsonObject, gatewayFieldNames, messagesLanguage } from "@turnpike/wire";
import type { DialectRequest } from "../../provider.ts";
import { nullMembers } from "../null-members.ts";
import { type Envelope, envelopeOf } from "./envelope.ts";
import { fitOwnRequest } from "./fit-own-request.ts";
import { findLost, withoutLost } from "./lost-preferences.ts";
import type { MessagesCall } from "./message-stream.ts";
import { withoutRefusedSchemas } from "./retry-without-schemas.ts";
import { withoutRefusedThinking } from "./retry-without-thinking.ts";
import { writeRequest } from "./write-request.ts";

const version = { "anthropic-version": "2023-06-01" };

/**
 * What Anthropic refuses without a beta that callers may not use. Claude Code asks it to judge the calls of
 * tools, and judges them itself where the answer does not. A thread gets here only as null.
 */
const betaFields = ["safeguards", "thread"];

/** The request for one call. It depends on the call, and on which betas its cloud has refused before. */
export function buildRequest(call: MessagesCall): DialectRequest {
  const { request } = call;
  const isOwn = request.language === messagesLanguage;
  const headers = isOwn ? { ...version, ...request.passedHeaders } : version;
  const envelope = envelopeOf(call, headers);
  return {
    path: envelope.path,
    accept: request.stream ? "text/event-stream" : "application/json",
    headers: envelope.headers,
    ...(isOwn ? editOwn(call, envelope) : write(call, envelope)),
  };
}

type Written = Pick<DialectRequest, "body" | "ignored">;

function editOwn(call: MessagesCall, envelope: Envelope): Written {
  const { request, maxTokens } = call;
  const set = fitOwnRequest(call);
  const { remove: lost, outputConfig, ignored } = withoutLost(call);
  if (outputConfig !== undefined) set.output_config = outputConfig;
  for (const name in envelope.set) set[name] = JSON.stringify(envelope.set[name]);
  if (maxTokens !== undefined) set.max_tokens = String(maxTokens);
  const nulls = nullMembers(request.asked ?? {}).filter((name) => set[name] === undefined);
  const remove = [...gatewayFieldNames, ...betaFields, ...envelope.remove, ...lost, ...nulls];
  return { body: editJsonObject(request.raw, request.members, { set, remove }), ignored };
}

function write(call: MessagesCall, envelope: Envelope): Written {
  const written = withoutRefusedThinking(call, withoutRefusedSchemas(call, writeRequest(call)));
  const body: JsonObject = { ...written, ...envelope.set };
  for (const name of envelope.remove) delete body[name];
  return { body: JSON.stringify(body), ignored: findLost(call, body) };
}
