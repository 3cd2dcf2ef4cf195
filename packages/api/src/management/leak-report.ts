// What scanners of leaked secrets send, in the format of GitHub's partner program.
import { z } from "zod";
import { line } from "../inputs.ts";
import { errorResponses, type Schema } from "./describe-route.ts";

/** Further fields are ignored: partners add their own. */
export const leakReportSchema = z
  .array(
    z.object({
      token: z.string().max(200).describe("The text that was found, at most 200 characters."),
      url: line(2_000)
        .nullish()
        .transform((url) => url ?? undefined)
        .describe("Where it was found; goes into the mail to its owner."),
    }),
  )
  .min(1)
  .max(1_000);

export const leakReportPath = "/v1/management/keys/revoke-leaked";

export function describeLeakReport(): Schema {
  const { $schema: _, ...body } = z.toJSONSchema(leakReportSchema, { io: "input" });
  const counts = {
    type: "object",
    properties: {
      received: { type: "integer", description: "Keys with a valid checksum, each counted once." },
      malformed: { type: "integer", description: "Texts that are not Turnpike keys." },
    },
    required: ["received", "malformed"],
    additionalProperties: false,
  };
  return {
    post: {
      operationId: "post-management-keys-revoke-leaked",
      summary: "Report keys that were found in public",
      description:
        "Needs no key. Each key is revoked, or its owner warned, as its account decided. The answer does not say whether a key existed.",
      tags: ["Leaked keys"],
      security: [],
      requestBody: { required: true, content: { "application/json": { schema: body } } },
      responses: {
        202: { description: "Done.", content: { "application/json": { schema: counts } } },
        ...errorResponses,
      },
    },
  };
}
