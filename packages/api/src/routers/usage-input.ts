// Which usage a caller asks for: the same range and filters for the page of the console and for programs.
import type { ApiKeyId, ProjectId } from "@turnpike/base";
import { requestClasses } from "@turnpike/terms";
import { z } from "zod";
import { idInput, instantInput, line, shownTimeZoneInput } from "../inputs.ts";

const rangeMaxMs = 400 * 86_400_000;

export const usageFilterFields = z.strictObject({
  from: instantInput.describe("When the range begins."),
  to: instantInput.describe("When the range ends, not included; at most 400 days later."),
  timeZone: shownTimeZoneInput,
  keyIds: z
    .array(idInput<ApiKeyId>())
    .max(100)
    .optional()
    .describe("Only of these API keys, at most 100."),
  projectIds: z.array(idInput<ProjectId>()).max(200).optional(),
  models: z.array(line(128)).max(100).optional(),
  statuses: z
    .array(z.enum(requestClasses))
    .max(4)
    .optional()
    .describe("Only requests that ended like this; `canceled` if the client disconnected."),
});

export function requireUsageRange<Fields extends z.ZodType<{ from: Date; to: Date }>>(
  fields: Fields,
) {
  return fields
    .refine(({ from, to }) => from < to, { path: ["to"], message: "Must be after `from`." })
    .refine(({ from, to }) => to.getTime() - from.getTime() <= rangeMaxMs, {
      path: ["from"],
      message: "A range has at most 400 days.",
    });
}

/** In the words of the reports. */
export function filterUsage(input: z.output<typeof usageFilterFields>) {
  const { from, to, timeZone, keyIds, projectIds: inProjects, models, statuses: classes } = input;
  return { from, to, timeZone, keyIds, inProjects, models, classes };
}
