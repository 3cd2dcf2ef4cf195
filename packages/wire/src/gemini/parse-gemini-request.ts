// Reads a request of Gemini's API: checked, measured, and translated into a chat completion. Its model and whether it is
// streamed are in its address; a body that says both itself is one whose price is asked for.
import { isObject, type JsonObject } from "@turnpike/base";
import { type ChatRequest, describeChatRequest } from "../chat/parse-chat-request.ts";
import type { PriceChange } from "../chat/price-changing-fields.ts";
import { missing } from "../checks/body-fault.ts";
import {
  assertNoRefusedField,
  checkFields,
  lookalikesOf,
  refusalsOf,
  ruleOf,
  rulesOf,
} from "../fields/check-fields.ts";
import { agentBounds, findMembers, memberText } from "../json/edit-json-object.ts";
import { withExactMembers } from "../json/exact-numbers.ts";
import { assertNoLookalikes, assertStorableText, parseJsonBody } from "../json/parse-json-body.ts";
import { geminiLanguage } from "../protocol/languages.ts";
import { callerParam } from "./caller-param.ts";
import { canonicalMembers, canonicalNames } from "./canonical-names.ts";
import { translateRequest } from "./translate-request.ts";
import { toolsOfGoogle } from "./translate-tools.ts";

/** What the address of a request says. */
export type GeminiTarget = { readonly model: string; readonly stream: boolean };

export type GeminiRequest = ChatRequest & {
  /** By the name a model sees, the caller's own names of tools that had to be renamed. */
  readonly toolNames: ReadonlyMap<string, string>;
  /** Thoughts are shown only where they are asked for; their signatures always. */
  readonly showsThoughts: boolean;
};

/** Members with inputs of tools and schemas, whose numbers are not interpreted here. */
const passedOn = ["contents", "tools"];

const fieldLike = lookalikesOf("gemini");
const rules = rulesOf("gemini");
const refusals = refusalsOf("gemini");
const contents = ruleOf("gemini", "contents");
const model = ruleOf("gemini", "model");

/** Source: `GenerateContentParameters` of @google/genai. Throws Fault. */
export function parseGeminiRequest(raw: string, target?: GeminiTarget): GeminiRequest {
  const { members, parsed, structureBytes } = parseJsonBody(raw, agentBounds);
  return describe({ raw, members, parsed, structureBytes }, canonicalNames(parsed), target);
}

/** A request whose tokens are to be counted: contents alone, or a whole request inside. Throws Fault. */
export function parseCountedContents(raw: string, target: GeminiTarget): GeminiRequest {
  const { parsed } = parseJsonBody(raw, agentBounds);
  const { generateContentRequest: inner } = canonicalNames(parsed);
  return parseGeminiRequest(isObject(inner) ? JSON.stringify(inner) : raw, target);
}

type Received = Pick<ChatRequest, "raw" | "members" | "parsed"> & {
  readonly structureBytes: number;
};

/** `asked` is the body with canonical names. */
function describe(received: Received, asked: JsonObject, target?: GeminiTarget): GeminiRequest {
  const { raw, members, parsed, structureBytes } = received;
  const named = target ?? { model: parseModel(asked), stream: asked.stream === true };
  if (asked.contents === undefined) throw missing("contents");
  contents(asked.contents, "contents");
  checkFields(rules, asked);
  assertNoRefusedField(refusals, asked);
  assertNoLookalikes(members, fieldLike);
  assertStorableText(raw, parsed);
  const exact = canonicalNames(withExactMembers(raw, parsed, passedOn));
  const { pivot, notes } = translateRequest(exact, named);
  const text = JSON.stringify(pivot);
  // Names and values once more, and a translation with a text of its own.
  const parsedBytes = 3 * structureBytes + text.length;
  const chat = describeChatRequest(text, findMembers(text), pivot, parsedBytes);
  const googles = [...toolsOfGoogle(asked), ...costlyMedia(asked)];
  const priceChanging: PriceChange[] = [
    ...googles.map((name): PriceChange => ({ kind: "member", name })),
    ...chat.priceChanging,
  ];
  const own = new Set(notes.untranslatable.map(({ param }) => param));
  for (const name of googles) own.add(name);
  if (notes.firstImage !== undefined) own.add(notes.firstImage);
  return {
    ...chat,
    language: geminiLanguage,
    raw,
    members: canonicalMembers(members),
    textBytes: chat.textBytes + unreadTools(received, text),
    promptStart: () => memberText(raw, members, "contents") ?? "",
    firstImage: notes.firstImage,
    untranslatable: notes.untranslatable,
    priceChanging,
    asked,
    toolNames: notes.toolNames,
    showsThoughts: showsThoughts(asked),
    callerParam: (param) => (own.has(param) ? param : callerParam(param, asked, pivot, notes)),
  };
}

/** What an upstream of the same language reads of tools that a translation leaves out. */
function unreadTools({ raw, members }: Received, translated: string): number {
  const own = memberText(raw, members, "tools") ?? "";
  const sent = memberText(translated, findMembers(translated), "tools") ?? "";
  return Math.max(0, Buffer.byteLength(own) - Buffer.byteLength(sent));
}

/** More tokens of every image than the catalog says. */
function costlyMedia({ generationConfig: config }: JsonObject): readonly string[] {
  const resolution = isObject(config) ? config.mediaResolution : undefined;
  return /HIGH/.test(String(resolution)) ? ["generationConfig.mediaResolution"] : [];
}

function parseModel({ model: named }: JsonObject): string {
  if (named === undefined) throw missing("model");
  model(named, "model");
  return modelOf(String(named));
}

/** The id of a model as Google's clients write it. */
export function modelOf(name: string): string {
  return name.replace(/^(?:models|tunedModels)\//, "");
}

function showsThoughts({ generationConfig: config }: JsonObject): boolean {
  const thinking = isObject(config) ? config.thinkingConfig : undefined;
  return isObject(thinking) && thinking.includeThoughts === true;
}
