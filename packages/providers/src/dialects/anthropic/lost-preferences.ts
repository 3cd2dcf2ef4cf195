// The preferences of a request that a Claude model is asked without: those that its API has no field for, and those
// that the model or another field of the request excludes.
import { isObject, type JsonObject } from "@turnpike/base";
import {
  memberText,
  messagesLanguage,
  parseExactObject,
  reasoningParameters,
} from "@turnpike/wire";
import { findIgnored, findUnsent } from "../../ignored-preferences.ts";
import { losesField } from "../lost-fields.ts";
import type { MessagesCall } from "./message-stream.ts";
import { isSampling, refusesBoth, takesSampling } from "./write-sampling.ts";

/** Of a chat completion that was written as `body`. */
export function findLost({ request }: MessagesCall, body: JsonObject): readonly string[] {
  return findIgnored(request.parsed, body, isLost);
}

function isLost(name: string, body: JsonObject): boolean {
  if (reasoningParameters.includes(name)) return !setsThinking(body);
  return losesField("anthropic", name) || (isSampling(name) && !(name in body));
}

function setsThinking({ thinking, output_config: config }: JsonObject): boolean {
  return thinking !== undefined || (isObject(config) && config.effort !== undefined);
}

export type OwnEdits = {
  readonly remove: readonly string[];
  /** The member `output_config` to send instead of the caller's. */
  readonly outputConfig: string | undefined;
  readonly ignored: readonly string[];
};

/** Of a request in Anthropic's own language. */
export function withoutLost(call: MessagesCall): OwnEdits {
  const { request, upstreamModel, omittedFields } = call;
  const asked = request.asked ?? request.parsed;
  const isThoughtless =
    call.provider.unknownFields !== "passed" && omittedFields.includes("reasoning");
  const remove: string[] = [...findUnsent(asked, call, messagesLanguage)];
  for (const name in asked) {
    const isRefused = !takesSampling(upstreamModel, name) || (isThoughtless && name === "thinking");
    if (isRefused && !remove.includes(name)) remove.push(name);
  }
  const { temperature, top_p: topP } = asked;
  const hasBoth = (temperature ?? null) !== null && (topP ?? null) !== null;
  if (hasBoth && refusesBoth(upstreamModel)) remove.push("top_p");
  const ignored = findIgnored(asked, remove, isIn);
  const outputConfig = isThoughtless ? withoutEffort(call) : undefined;
  if (outputConfig === undefined) return { remove, outputConfig, ignored };
  return { remove, outputConfig, ignored: [...ignored, "output_config.effort"] };
}

function isIn(name: string, removed: readonly string[]): boolean {
  return removed.includes(name);
}

/** Undefined where there is no effort. */
function withoutEffort({ request: { raw, members } }: MessagesCall): string | undefined {
  const config = parseExactObject(memberText(raw, members, "output_config") ?? "null");
  if (typeof config?.effort !== "string") return undefined;
  const { effort: _, ...kept } = config;
  return JSON.stringify(kept);
}
