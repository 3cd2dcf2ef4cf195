// A chat completions request as Anthropic's messages. Fields without a counterpart were refused before
// (why-unsupported.ts) or are preferences, which are named as ignored (lost-preferences.ts).
import { isObject, type JsonObject } from "@turnpike/base";
import { type ChatRequest, exactPivot } from "@turnpike/wire";
import { dialectRules } from "../../conversation-rules.ts";
import type { AnthropicProvider, Target } from "../../provider.ts";
import { rememberTranslation } from "../../remember-translation.ts";
import { stopsToSend } from "../cut-at-stops.ts";
import { fitPivot } from "../fit-calls.ts";
import { digestOf } from "../fit-identifier.ts";
import type { MessagesCall } from "./message-stream.ts";
import { namesOf } from "./names-of.ts";
import { StructuredSchemas } from "./structured-schema.ts";
import { whyUnsupported } from "./why-unsupported.ts";
import { type Conversation, continuation, writeConversation } from "./write-conversation.ts";
import { takesStructuredOutputs, writeFormat } from "./write-format.ts";
import { isBlank } from "./write-parts.ts";
import { writeCopied } from "./write-sampling.ts";
import { checksSignatures, refusesPrefill, writeThinking } from "./write-thinking.ts";
import { writeTools } from "./write-tools.ts";

export function writeRequest(call: MessagesCall): JsonObject {
  const { parsed, stream, maxTokens: asked } = call.request;
  const { conversation, format } = translateConversation(call, call.request);
  const maxTokens = call.maxTokens ?? asked ?? call.coveredTokens;
  const body: JsonObject = {
    model: call.upstreamModel,
    max_tokens: maxTokens,
    ...conversation,
  };
  if (stream) body.stream = true;
  Object.assign(body, writeCopied(parsed, call.upstreamModel));
  const stops = stopsToSend(parsed, takesStop);
  if (stops !== undefined) body.stop_sequences = stops;
  const user = parsed.user ?? parsed.safety_identifier;
  if (typeof user === "string" && user !== "") body.metadata = { user_id: fitUser(user) };
  const config: JsonObject = { ...format };
  writeThinking(call, maxTokens, body, config);
  // Nothing is continued after thinking.
  const thinks = isObject(body.thinking) && body.thinking.type !== "disabled";
  if (thinks && conversation.messages.at(-1)?.role === "assistant") {
    body.messages = [...conversation.messages, continuation];
  }
  for (const name of call.omittedFields) delete body[name];
  if (Object.keys(config).length > 0) body.output_config = config;
  return body;
}

/** Anthropic requires more than whitespace in a stop sequence. */
export function takesStop(stop: string): boolean {
  return !isBlank(stop);
}

const userMaxChars = 256;
/** Anthropic refuses what looks like an email address or a phone number (BerriAI/litellm#10106). */
const personal = /@|^\+?[\d\s().-]{7,}$/;

function fitUser(user: string): string {
  return user.length > userMaxChars || personal.test(user) ? digestOf(user, 64) : user;
}

type Translated = { readonly conversation: Conversation; readonly format: JsonObject };

/**
 * The part that takes time in proportion to the request, translated once for all its uses. Throws the
 * Fault of the first field that cannot be carried.
 */
export const translateConversation = rememberTranslation(
  ({ upstreamModel }: Target<AnthropicProvider>, request: ChatRequest): Translated => {
    const fault = whyUnsupported(request.parsed);
    if (fault !== undefined) throw fault;
    const { callIds } = dialectRules.anthropic;
    const pivot = fitPivot(exactPivot(request), namesOf(request), callIds.is);
    const schemas = takesStructuredOutputs(upstreamModel) ? new StructuredSchemas() : undefined;
    const { config = {}, instruction } = writeFormat(pivot, schemas);
    const conversation = {
      ...writeConversation(pivot.messages, {
        instruction,
        // Nor is anything continued in a format.
        endsWithUser: refusesPrefill(upstreamModel) || config.format !== undefined,
        keepsUnsigned: !checksSignatures(upstreamModel),
      }),
      ...writeTools(pivot, schemas),
    };
    return { conversation, format: config };
  },
);
