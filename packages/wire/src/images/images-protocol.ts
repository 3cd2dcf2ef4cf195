// The images protocol: OpenAI's answer, with the counts of both OpenAI's and OpenRouter's names, since clients read either
// without asking whether it is there.
import { type Fault, formatGenerationId, type JsonObject } from "@turnpike/base";
import { toUsdNumber } from "@turnpike/terms";
import { openaiErrors } from "../errors/error-format.ts";
import { answerForFault } from "../errors/fault-answer.ts";
import { setMembers } from "../json/set-members.ts";
import { imagesLanguage } from "../protocol/languages.ts";
import type { AnswerIdentity, Bill, GeneratedImage } from "../protocol/pivot.ts";
import type { Protocol, StreamWriter } from "../protocol/protocol.ts";
import { sseEvent, sseKeepAlive } from "../protocol/sse.ts";
import { imageForm } from "./image-form.ts";
import { assertEdits, type ImageRequest, parseImageRequest } from "./parse-image-request.ts";

export const imagesProtocol: Protocol<ImageRequest> = {
  operation: "image",
  language: imagesLanguage,
  errors: openaiErrors,
  parse: parseImageRequest,
  answerId: formatGenerationId,
  writeWhole(content, { created }, bill) {
    if (content.kind !== "images") throw new Error("another answer to a request for images");
    const { images, size, quality, outputFormat, background } = content;
    return JSON.stringify({
      created,
      data: images.map(presentImage),
      ...(background !== undefined && { background }),
      ...(outputFormat !== undefined && { output_format: outputFormat }),
      ...(quality !== undefined && { quality }),
      ...(size !== undefined && { size }),
      ...(bill !== undefined && { usage: imagesUsage(bill) }),
    });
  },
  stream: {
    contentType: "text/event-stream; charset=utf-8",
    keepAlive: sseKeepAlive,
    open: (_request, identity) => new ImagesWriter(identity),
  },
};

/** A finished image waits for its bill, which the last of them shows. */
class ImagesWriter implements StreamWriter {
  readonly #finished: { readonly name: string; readonly json: string }[] = [];
  readonly #identity: AnswerIdentity;

  constructor(identity: AnswerIdentity) {
    this.#identity = identity;
  }

  writeOwn(json: string, name = "image_generation.partial_image"): string {
    const own = setMembers(json, { created_at: String(this.#identity.created) });
    if (!name.endsWith(".completed")) return sseEvent(name, own);
    this.#finished.push({ name, json: own });
    return "";
  }

  writeDeltas(): string {
    throw new Error("images are no deltas");
  }

  writeEnd(bill: Bill | undefined): string {
    const last = this.#finished.length - 1;
    const events = this.#finished.map(({ name, json }, index) => {
      if (index < last || bill === undefined) return sseEvent(name, json);
      return sseEvent(name, setMembers(json, { usage: JSON.stringify(imagesUsage(bill)) }));
    });
    return events.join("");
  }

  writeFault(fault: Fault): string {
    return sseEvent("error", JSON.stringify({ type: "error", ...answerForFault(fault).body }));
  }
}

/** The same for an endpoint that always has images to edit, in a form or in JSON. */
export const imageEditsProtocol: Protocol<ImageRequest> = {
  ...imagesProtocol,
  parse: (text) => assertEdits(parseImageRequest(text)),
  form: imageForm,
};

function presentImage({ base64, url, revisedPrompt }: GeneratedImage): JsonObject {
  return {
    ...(base64 === undefined ? { url } : { b64_json: base64 }),
    ...(revisedPrompt !== undefined && { revised_prompt: revisedPrompt }),
  };
}

/** Always with the details: clients read them unguarded. */
export function imagesUsage({ usage, costNanos }: Bill): JsonObject {
  const {
    promptTokens,
    completionTokens,
    imagePromptTokens = 0,
    imageCompletionTokens = 0,
  } = usage;
  const inputs = { text_tokens: promptTokens - imagePromptTokens, image_tokens: imagePromptTokens };
  const outputs = {
    image_tokens: imageCompletionTokens,
    text_tokens: completionTokens - imageCompletionTokens,
  };
  return {
    input_tokens: promptTokens,
    input_tokens_details: inputs,
    output_tokens: completionTokens,
    output_tokens_details: outputs,
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    completion_tokens_details: outputs,
    total_tokens: promptTokens + completionTokens,
    cost: toUsdNumber(costNanos),
  };
}
