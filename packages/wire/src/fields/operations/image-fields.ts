// The fields of a request for images. Sizes and qualities are only checked for their form: a model says which of them it has,
// by their prices.
import { unsupported, wrongType } from "../../checks/body-fault.ts";
import { boolean, integer, oneOf, rule, text } from "../../checks/check-value.ts";
import { withCommonFields } from "./operation-field.ts";

const imagesMax = 10;
const promptCharsMax = 32_000;
const tiers = ["512", "1K", "2K", "4K"] as const;
const sizePattern = /^(?:auto|[1-9]\d{1,4}x[1-9]\d{1,4}|512|[124]K)$/;

const anyList = rule({}, (value, path) => {
  if (!Array.isArray(value)) throw wrongType(path, "an array", value);
});

/** What costs more in ways that no price list has. */
const unpriced = rule({}, (_value, path) => {
  throw unsupported(path, "There is no price for what it changes.");
});

export const imageFields = withCommonFields({
  prompt: { check: text({ nonEmpty: true, maxLength: promptCharsMax }) },
  n: { check: integer(1, imagesMax), isRewritten: true },
  size: { check: text({ pattern: sizePattern }), isRewritten: true },
  resolution: { check: oneOf(tiers), isRewritten: true },
  aspect_ratio: { check: text({ pattern: /^(?:auto|\d{1,2}:\d{1,2})$/ }), isRewritten: true },
  quality: { check: text({ nonEmpty: true, maxLength: 32 }) },
  output_format: { check: oneOf(["png", "jpeg", "webp"]) },
  output_compression: { check: integer(0, 100) },
  background: { check: oneOf(["auto", "transparent", "opaque"]), isPreference: true },
  moderation: { check: oneOf(["auto", "low"]), isPreference: true },
  response_format: { check: oneOf(["url", "b64_json"]), isRewritten: true },
  style: { check: oneOf(["vivid", "natural"]), isPreference: true, isRewritten: true },
  seed: { check: integer(0, 2 ** 32 - 1), isPreference: true },
  stream: { check: boolean, isRewritten: true },
  partial_images: { check: integer(0, 3), isRewritten: true },
  images: { check: anyList, isRewritten: true },
  image: { check: rule({}, () => undefined), isRewritten: true },
  input_references: { check: anyList, isRewritten: true },
  mask: { check: rule({}, () => undefined), isRewritten: true },
  input_fidelity: { check: oneOf(["high", "low"]), isPreference: true, isRewritten: true },
  frame_count: { check: unpriced },
  frame_duration_ms: { check: unpriced },
  svg: { check: unpriced },
  complexity: { check: unpriced },
  markup: { check: unpriced },
});
