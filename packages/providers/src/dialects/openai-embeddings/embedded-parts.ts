// How inputs made of texts and images are sent to services that embed both: as they are to OpenRouter, and to Jina as one text or
// one image each.
import type { Fault } from "@turnpike/base";
import type { EmbeddingsRequest, InputPart } from "@turnpike/wire";
import type { OpenaiProvider, UpstreamCall } from "../../provider.ts";
import { untranslatable } from "../../untranslatable.ts";

/** The Fault for inputs in parts at a service that has no such inputs, or not as many parts. */
export function whyNoParts(
  { quirks }: OpenaiProvider,
  { parts }: EmbeddingsRequest,
): Fault | undefined {
  if (parts === undefined || quirks.embeddedImages === "openrouter") return undefined;
  if (quirks.embeddedImages === "none") {
    return untranslatable("input", "its provider embeds texts alone, each a string");
  }
  const isSingle = parts.every((own) => own.length === 1);
  return isSingle
    ? undefined
    : untranslatable("input", "Jina makes a vector of one text or one image: send each by itself");
}

/** What replaces the caller's own `input`, as JSON; nothing where it is sent as it is. Source: Jina's API reference. */
export function writeInput({
  request,
  provider,
}: UpstreamCall<EmbeddingsRequest, OpenaiProvider>): Readonly<Record<string, string>> {
  const { parts } = request;
  if (parts === undefined || provider.quirks.embeddedImages !== "jina") return {};
  return { input: JSON.stringify(parts.flat().map(jinaInput)) };
}

function jinaInput(part: InputPart): object {
  return part.type === "text" ? { text: part.text } : { image: part.image_url.url };
}
