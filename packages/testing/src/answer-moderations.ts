// How the scripted upstream answers `/v1/moderations`: what contains `flaggedWord` is flagged as violence, and nothing else.
import { countTextTokens, jsonAnswer, type ParseOperation } from "./operation-call.ts";
import { fieldsOf } from "./parse-chat-body.ts";
import { badValue, type Check, checkFields, isText, Refusal, wrongType } from "./refuse-request.ts";

/** A prompt with it is refused by the image models, too. */
export const flaggedWord = "forbidden";

/** Source: OpenAI's API reference. */
const categories = [
  "harassment",
  "harassment/threatening",
  "hate",
  "hate/threatening",
  "illicit",
  "illicit/violent",
  "self-harm",
  "self-harm/instructions",
  "self-harm/intent",
  "sexual",
  "sexual/minors",
  "violence",
  "violence/graphic",
] as const;

/** Those that omni-moderation applies to images. */
const ofImages: ReadonlySet<string> = new Set([
  "self-harm",
  "self-harm/instructions",
  "self-harm/intent",
  "sexual",
  "violence",
  "violence/graphic",
]);

const input: Check = (value, param) => {
  if (typeof value === "string") return;
  if (!Array.isArray(value))
    throw wrongType(param, "one of a string, array of strings, or array of objects");
  if (value.length === 0)
    throw new Refusal(`Invalid '${param}': empty array.`, "empty_array", param);
  for (const [index, item] of value.entries()) {
    if (typeof item === typeof value[0] && typeof item === "string") continue;
    const { type, text, image_url } = fieldsOf(item);
    const isPart =
      (type === "text" && typeof text === "string") ||
      (type === "image_url" && typeof fieldsOf(image_url).url === "string");
    if (!isPart || typeof value[0] === "string")
      throw badValue(`${param}[${index}]`, "not an input.");
  }
};

/** What is judged together. */
type Judged = { readonly text: string; readonly types: readonly ("text" | "image")[] };

export const parseModerations: ParseOperation = ({ body }) => {
  const parsed: unknown = JSON.parse(body.toString());
  const fields = fieldsOf(parsed);
  checkFields(fields, { input, model: isText() }, ["input"]);
  const judged = judgedOf(fields.input);
  const model = String(fields.model ?? "omni-moderation-latest");
  const text = judged.map((one) => one.text).join("\n");
  const promptTokens = countTextTokens(text);
  const answer = () => jsonAnswer({ id: "modr-1", model, results: judged.map(judge) });
  return { parsed, model, isStream: false, text, promptTokens, answer };
};

/** Each text for itself, and the parts of one message together. */
function judgedOf(given: unknown): readonly Judged[] {
  const items: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (typeof items[0] === "string") {
    return items.map((text) => ({ text: String(text), types: ["text"] }));
  }
  const parts = items.map(fieldsOf);
  const texts = parts.filter(({ type }) => type === "text").map(({ text }) => String(text));
  const hasImage = parts.some(({ type }) => type === "image_url");
  const types = [
    ...(texts.length > 0 ? (["text"] as const) : []),
    ...(hasImage ? (["image"] as const) : []),
  ];
  return [{ text: texts.join("\n"), types }];
}

function judge({ text, types }: Judged) {
  const flagged = text.toLowerCase().includes(flaggedWord);
  const isHit = (name: string) => flagged && name === "violence";
  const byCategory = <T>(value: (name: string) => T) =>
    Object.fromEntries(categories.map((name) => [name, value(name)]));
  return {
    flagged,
    categories: byCategory(isHit),
    category_scores: byCategory((name) => (isHit(name) ? 0.9 : 0.00001)),
    category_applied_input_types: byCategory((name) =>
      types.filter((type) => type === "text" || ofImages.has(name)),
    ),
  };
}
