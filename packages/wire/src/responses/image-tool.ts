// The tool `image_generation` of a response, and its calls in a conversation. The model of the request draws by itself, so that
// the tool says the form of its images and nothing else: another model or another price would not be what was asked.
import { isObject, type JsonObject, parseText } from "@turnpike/base";
import { unsupported } from "../checks/body-fault.ts";
import { anyText, integer, object, oneOf, rule } from "../checks/check-value.ts";

export const imageToolType = "image_generation";
export const imageCallType = "image_generation_call";

/** In OpenRouter's words for the images of a chat. */
const aspectRatios = {
  "1024x1024": "1:1",
  "1536x1024": "3:2",
  "1024x1536": "2:3",
} as const;

const sizes = ["auto", ...Object.keys(aspectRatios)];

const form = object({
  optional: {
    size: oneOf(sizes),
    quality: oneOf(["auto"]),
    background: oneOf(["auto"]),
    moderation: oneOf(["auto"]),
    action: oneOf(["auto", "generate", "edit"]),
    // A model that draws by itself has nothing to show before the image, which every client can take.
    partial_images: integer(0, 3),
  },
});

const refusals: Readonly<Record<string, string>> = {
  model: "The model of the request makes the images. Remove it.",
  input_image_mask:
    "Models that draw in a conversation take no mask. Remove it, or use /v1/images/edits.",
  input_fidelity: "Models that draw in a conversation have no such setting. Remove it.",
  output_format: "Models that draw in a conversation choose the format. Remove it.",
  output_compression: "Models that draw in a conversation choose the format. Remove it.",
};

export const imageTool = rule(form.bounds, (value, path) => {
  form(value, path);
  if (!isObject(value)) return;
  for (const [name, sentence] of Object.entries(refusals)) {
    if ((value[name] ?? null) !== null) throw unsupported(`${path}.${name}`, sentence);
  }
});

/** An item of an earlier answer; it has no result if the image failed. */
export const imageCall = object({ optional: { id: anyText, status: anyText, result: anyText } });

/** What a chat completion says of images; `isOnly` if nothing else is wanted. */
export function askForImages(tool: JsonObject, isOnly: boolean): JsonObject {
  const size = parseText(tool.size);
  const ratio = Object.entries(aspectRatios).find(([name]) => name === size)?.[1];
  return {
    modalities: isOnly ? ["image"] : ["text", "image"],
    ...(ratio !== undefined && { image_config: { aspect_ratio: ratio } }),
  };
}

/** Whether it is a call without its image, which another service could only take for a reference to one that it has stored. */
export function isCallWithoutImage(item: unknown): boolean {
  return isObject(item) && item.type === imageCallType && imageOfCall(item).length === 0;
}

/** By the first bytes of its base64: an item does not say it. */
const types = [
  ["iVBORw0KGgo", "image/png"],
  ["/9j/", "image/jpeg"],
  ["UklGR", "image/webp"],
  ["R0lGOD", "image/gif"],
] as const;

/** The image of such an item, as a part of what the user says: no provider takes one as said by the model. */
export function imageOfCall({ result }: JsonObject): readonly JsonObject[] {
  if (typeof result !== "string" || result === "") return [];
  const type = types.find(([start]) => result.startsWith(start))?.[1] ?? "image/png";
  return [{ type: "image_url", image_url: { url: `data:${type};base64,${result}` } }];
}
