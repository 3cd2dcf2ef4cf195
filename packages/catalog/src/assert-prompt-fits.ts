// Refuses prompts that are longer than the context of their model. A hold reserves no more than the context, so a
// longer prompt would be read at the operator's expense.
import { Fault } from "@turnpike/base";
import type { EmbeddingsRequest } from "@turnpike/wire";
import { type CountCaller, countText, encodingOf } from "./count-text.ts";
import type { EmbeddingsModel, Model, ModelRequest } from "./model.ts";

/**
 * Rejects with `context_length_exceeded` if the text alone is longer than the model's context. Counts only
 * texts that have more bytes than the context has tokens: undefined for all others, which are not.
 */
export function assertPromptFits(
  modelRequest: ModelRequest,
  caller: CountCaller,
): Promise<void> | undefined {
  if (modelRequest.operation === "embeddings") {
    return assertInputFits(modelRequest.model, modelRequest.request, caller);
  }
  // The others cut what is too long, or say themselves that they refuse it.
  if (modelRequest.operation !== "chat") return undefined;
  const { model, request } = modelRequest;
  if (request.textBytes <= model.contextTokens) return undefined;
  return assertTextFits(model, request.promptText(), caller);
}

async function assertTextFits(model: Model, text: string, caller: CountCaller): Promise<void> {
  if (await fitsContext(model, text, caller)) return;
  throw new Fault(
    "context_length_exceeded",
    `This model's maximum context length is ${model.contextTokens} tokens. However, your messages are longer than that. Please reduce their length.`,
    { param: "messages" },
  );
}

async function assertInputFits(
  model: EmbeddingsModel,
  { texts, tokenCounts }: EmbeddingsRequest,
  caller: CountCaller,
): Promise<void> {
  let overlong = tokenCounts.findIndex((count) => count > model.contextTokens);
  for (let index = 0; index < texts.length && overlong === -1; index += 1) {
    const text = texts[index] ?? "";
    // No text has more UTF-8 bytes than three times its UTF-16 units.
    if (text.length * 3 <= model.contextTokens) continue;
    if (Buffer.byteLength(text) <= model.contextTokens) continue;
    if (!(await fitsContext(model, text, caller))) overlong = index;
  }
  if (overlong === -1) return;
  throw new Fault(
    "context_length_exceeded",
    `This model's maximum context length is ${model.contextTokens} tokens. However, the input at index ${overlong} is longer than that. Please reduce its length or split it.`,
    { param: "input" },
  );
}

async function fitsContext(model: Model, text: string, caller: CountCaller): Promise<boolean> {
  const limit = model.contextTokens + 1;
  const tokens = await countText(text, { encoding: encodingOf(model), limit, ...caller });
  return tokens <= model.contextTokens;
}
