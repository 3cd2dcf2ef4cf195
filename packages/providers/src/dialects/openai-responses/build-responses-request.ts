// The body sent to an upstream's own `/responses`: the caller's, edited where the gateway has to and byte
// for byte the same elsewhere.
import { isObject } from "@turnpike/base";
import {
  editJsonObject,
  type ResponsesRequest,
  relayableInput,
  responsesLanguage,
} from "@turnpike/wire";
import { findIgnored, findUnsent } from "../../ignored-preferences.ts";
import type { DialectRequest, OpenaiProvider, UpstreamCall } from "../../provider.ts";
import { nullMembers } from "../null-members.ts";
import { forbiddenFields } from "../openai/build-request.ts";
import { pathOf } from "../openai/openai-path.ts";
import { fitOwnItems, fitOwnTools } from "./fit-own-items.ts";
import { withoutRefusedCiphertext } from "./retry-without-ciphertext.ts";

export type ResponseCall = UpstreamCall<ResponsesRequest, OpenaiProvider>;

/** The request for one call. It depends on the call, and on what the provider has refused before. */
export function buildResponsesRequest(call: ResponseCall): DialectRequest {
  const { request, provider, upstreamModel } = call;
  const { raw, members, asked } = request;
  const set: Record<string, string> = {
    model: JSON.stringify(upstreamModel),
    // Its items are kept by the gateway, for every route.
    store: "false",
  };
  const limit = call.maxTokens ?? request.maxTokens;
  if (limit !== undefined && limit !== asked.max_output_tokens) {
    set.max_output_tokens = String(limit);
  }
  for (const field of request.changedFields) set[field] = JSON.stringify(asked[field]);
  includeReasoning(call, set);
  const readable = withoutRefusedCiphertext(provider, relayableInput(asked.input));
  const input = fitOwnItems(readable, { tools: asked.tools, quirks: provider.quirks });
  if (input !== asked.input) set.input = JSON.stringify(input);
  const tools = fitOwnTools(asked.tools, provider.quirks);
  if (tools !== asked.tools) set.tools = JSON.stringify(tools);
  if (request.stream && provider.quirks.streamPadding === "by_default") unpad(asked, set);
  const unsent = findUnsent(asked, call, responsesLanguage);
  const nulls = nullMembers(asked).filter((name) => set[name] === undefined);
  return {
    path: pathOf(call, "/responses"),
    accept: request.stream ? "text/event-stream" : "application/json",
    body: editJsonObject(raw, members, {
      set,
      remove: [
        ...forbiddenFields(provider.quirks),
        ...call.omittedFields,
        ...unsent,
        ...nulls,
        ...records,
      ],
    }),
    ignored: findIgnored(asked, { call, unsent }, isLost),
  };
}

/** Codex's ids of its installation and its turns, for OpenAI's own records; the reference does not list them. */
const records = ["client_metadata"];

type Written = { readonly call: ResponseCall; readonly unsent: readonly string[] };

/** `store` is obeyed here, whatever the upstream is told. */
function isLost(name: string, { call, unsent }: Written): boolean {
  return call.omittedFields.includes(name) || unsent.includes(name);
}

/** The name in `include` of the reasoning that only its provider can read. */
export const encryptedReasoning = "reasoning.encrypted_content";

/**
 * A caller who expects the response to be stored sends its reasoning items back unchanged. Only with
 * their encrypted content can an upstream read them again. Models without reasoning refuse the option.
 */
function includeReasoning(
  { request: { asked }, omittedFields }: ResponseCall,
  set: Record<string, string>,
): void {
  if (asked.store === false || omittedFields.includes("reasoning")) return;
  const included: readonly unknown[] = Array.isArray(asked.include) ? asked.include : [];
  if (included.includes(encryptedReasoning)) return;
  set.include = JSON.stringify([...included, encryptedReasoning]);
}

/** Padding of deltas is useless on the connection between a gateway and its provider. */
function unpad(
  { stream_options: options }: ResponsesRequest["asked"],
  set: Record<string, string>,
) {
  const given = isObject(options) ? options : {};
  if (typeof given.include_obfuscation === "boolean") return;
  set.stream_options = JSON.stringify({ ...given, include_obfuscation: false });
}
