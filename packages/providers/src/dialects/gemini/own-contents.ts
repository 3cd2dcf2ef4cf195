// The conversation of a caller of Gemini's own language, without what Google would refuse: reasoning that another provider
// wrote, calls that Gemini 3 has not signed, and ids of calls on Vertex AI.
import { isObject, type JsonObject, parseText } from "@turnpike/base";
import { isSealedSignature, missingSignature, parseExactly } from "@turnpike/wire";
import type { GeminiCall } from "./generation-config.ts";
import { generationOf } from "./thinking-config.ts";

const mayNeedChange = /dHVybnBpa2Ux|function_?[cC]all/;

/** `text` is the caller's own member; undefined leaves it as it is. */
export function fitOwnContents(
  { provider, upstreamModel }: GeminiCall,
  text: string,
): string | undefined {
  if (!mayNeedChange.test(text)) return undefined;
  const parsed = parseExactly(text);
  const contents = Array.isArray(parsed) ? parsed : [parsed];
  const fit = new ContentFitter(generationOf(upstreamModel), provider.cloud === "vertex");
  const fitted = contents.flatMap((content: unknown) =>
    isObject(content) ? fit.content(content) : [content],
  );
  return fit.hasChanged ? JSON.stringify(fitted) : undefined;
}

class ContentFitter {
  readonly #generation: 2 | 3;
  readonly #isVertex: boolean;
  /** Whether a content has called something: only the first call is signed. */
  #hasCalled = false;
  hasChanged = false;

  constructor(generation: 2 | 3, isVertex: boolean) {
    this.#generation = generation;
    this.#isVertex = isVertex;
  }

  /** Nothing for one that has no parts left: Google refuses it. */
  content(content: JsonObject): JsonObject[] {
    this.#hasCalled = false;
    const parts: readonly unknown[] = Array.isArray(content.parts)
      ? content.parts
      : [content.parts];
    const fitted = parts.flatMap((part) => (isObject(part) ? this.#part(part) : [part]));
    if (fitted.every((part, index) => part === parts[index]) && fitted.length === parts.length) {
      return [content];
    }
    this.hasChanged = true;
    return fitted.length === 0 ? [] : [{ ...content, parts: fitted }];
  }

  #part(part: JsonObject): JsonObject[] {
    const call = part.functionCall ?? part.function_call;
    const given = parseText(part.thoughtSignature ?? part.thought_signature);
    const isForeign = given !== undefined && isSealedSignature(given);
    if (isObject(call)) return [this.#call(part, isForeign ? undefined : given)];
    const result = part.functionResponse ?? part.function_response;
    if (isObject(result)) return [this.#withoutId(part)];
    if (!isForeign) return [part];
    return part.thought === true || part.text === "" ? [] : [withSignature(part, undefined)];
  }

  #call(part: JsonObject, signature: string | undefined): JsonObject {
    const isFirst = !this.#hasCalled;
    this.#hasCalled = true;
    const lost = this.#generation === 3 && isFirst ? missingSignature : undefined;
    const signed = signature === undefined ? withSignature(part, lost) : part;
    return this.#withoutId(signed);
  }

  /** Vertex AI refuses the ids of calls and of their results. */
  #withoutId(part: JsonObject): JsonObject {
    if (!this.#isVertex) return part;
    const fitted = { ...part };
    for (const name of ["functionCall", "function_call", "functionResponse", "function_response"]) {
      const { [name]: member } = part;
      if (!isObject(member) || member.id === undefined) continue;
      const { id: _, ...rest } = member;
      fitted[name] = rest;
    }
    return fitted;
  }
}

/** `part` itself where nothing changes. */
function withSignature(part: JsonObject, signature: string | undefined): JsonObject {
  const { thoughtSignature, thought_signature: snake, ...rest } = part;
  const isSame = signature === undefined && thoughtSignature === undefined && snake === undefined;
  if (isSame) return part;
  return signature === undefined ? rest : { ...rest, thoughtSignature: signature };
}
