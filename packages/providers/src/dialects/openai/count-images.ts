// Counts the images in a message or a delta, for answers whose provider does not report their tokens.
// Source: `images` of an assistant's message in OpenRouter's openapi.yaml.
import { isObject } from "@turnpike/base";

export function countImages(said: unknown): number {
  return isObject(said) && Array.isArray(said.images) ? said.images.length : 0;
}
