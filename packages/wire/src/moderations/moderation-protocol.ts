// The moderation protocol, after OpenAI's: one result for each text, or one for all parts. The categories are the provider's.
import { formatGenerationId } from "@turnpike/base";
import { openaiErrors } from "../errors/error-format.ts";
import { moderationsLanguage } from "../protocol/languages.ts";
import type { Protocol } from "../protocol/protocol.ts";
import { type ModerationRequest, parseModerationRequest } from "./parse-moderation-request.ts";

export const moderationProtocol: Protocol<ModerationRequest> = {
  operation: "moderation",
  language: moderationsLanguage,
  errors: openaiErrors,
  parse: parseModerationRequest,
  answerId: formatGenerationId,
  writeWhole(content, { id, model, provider }) {
    if (content.kind !== "moderation") throw new Error("another answer to a moderation request");
    return JSON.stringify({
      id,
      model,
      ...(provider !== undefined && { provider }),
      results: content.results,
    });
  },
};
