// What a model itself allows of a request, for each operation: what it does not have is refused by name before anything is held.
import { Fault } from "@turnpike/base";
import type { ModelRequest } from "@turnpike/catalog";
import type { Operation } from "@turnpike/terms";

type Asking<Name extends Operation> = Extract<ModelRequest, { operation: Name }>;

const checks: { readonly [Name in Operation]: (asked: Asking<Name>) => void } = {
  chat({ model, request }) {
    // The hold does not count their bytes as text, but an upstream might read and bill them as text.
    if (request.firstImage !== undefined && !model.capabilities.includes("vision")) {
      throw refused(request.firstImage, `\`${model.id}\` does not support images.`);
    }
  },
  embeddings({ model, request: { dimensions, imageCount } }) {
    if (imageCount > 0 && !model.capabilities.includes("vision")) {
      throw refused("input", `\`${model.id}\` does not support images.`);
    }
    if (dimensions === undefined || dimensions === model.dimensions) return;
    const param = "dimensions";
    if (!model.capabilities.includes("dimensions")) {
      throw refused(param, `\`${model.id}\` supports only ${model.dimensions} dimensions.`);
    }
    if (dimensions < model.dimensions) return;
    throw aboveMaximum(param, model.dimensions, dimensions);
  },
  image({ model, request }) {
    const { imageCount, references, mask } = request;
    if (imageCount > model.maxImages) throw aboveMaximum("n", model.maxImages, imageCount);
    if (mask !== undefined && references.length === 0) {
      throw refused("mask", "A mask says which part of an image to edit: send the image too.");
    }
    if (references.length <= model.inputImages) return;
    const most =
      model.inputImages === 0
        ? "only makes new images: it edits none"
        : `takes at most ${model.inputImages} images to edit, but got ${references.length}`;
    throw refused("image", `\`${model.id}\` ${most}.`);
  },
  speech({ model, request: { characterCount, voice } }) {
    if (characterCount > model.maxCharacters) {
      throw new Fault(
        "string_above_max_length",
        `Invalid 'input': string too long. \`${model.id}\` speaks at most ${model.maxCharacters} characters, but got ${characterCount}.`,
        { param: "input" },
      );
    }
    const { voices } = model;
    if (voices.length === 0) return;
    if (voice === undefined || !voices.includes(voice)) {
      const named = voice === undefined ? "needs a voice" : `has no voice '${voice}'`;
      throw refused("voice", `\`${model.id}\` ${named}. Its voices are: ${voices.join(", ")}.`);
    }
  },
  transcription({ model, request: { durationMs } }) {
    if (durationMs <= model.maxSeconds * 1_000) return;
    const seconds = Math.ceil(durationMs / 1_000);
    throw refused(
      "file",
      `The audio lasts ${seconds} seconds, and \`${model.id}\` takes at most ${model.maxSeconds}. Split it.`,
    );
  },
  rerank: () => undefined,
  moderation({ model, request }) {
    if (request.imageCount > 0 && !model.capabilities.includes("vision")) {
      throw refused("input", `\`${model.id}\` does not support images.`);
    }
  },
};

/**
 * Throws the Fault of what the model does not have. The cast is safe because the table has under each operation a check of its
 * requests, which TypeScript cannot follow through a lookup.
 */
export function checkOperation(asked: ModelRequest): void {
  (checks[asked.operation] as (asked: ModelRequest) => void)(asked);
}

function refused(param: string, sentence: string): Fault {
  return new Fault("unsupported_value", sentence, { param });
}

function aboveMaximum(param: string, most: number, value: number): Fault {
  return new Fault(
    "integer_above_max_value",
    `Invalid '${param}': integer above maximum value. Expected a value <= ${most}, but got ${value} instead.`,
    { param },
  );
}
