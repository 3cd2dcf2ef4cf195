// Guardrails over the management API.
import { guardrailKinds, weekdays } from "@turnpike/terms";
import { z } from "zod";
import {
  guardrailIdInput,
  hoursDescriptions,
  ruleDescriptions,
  setGuardrailInput,
} from "../routers/guardrails.ts";
import { defineRoute, nothing, pageInput, pageOf, pageSchema } from "./define-route.ts";

const path = "/v1/management/guardrails";
const tag = "Guardrails";
const usd = z.string().nullable();
const names = z.array(z.string()).readonly().nullable();

const guardrailSchema = z
  .object({
    id: z.uuid().describe("Id of the guardrail."),
    kind: z.enum(guardrailKinds).describe("Whose requests it applies to."),
    subjectId: z.uuid().describe("Id of the account, project or API key."),
    subjectName: z.string().describe("Its name."),
    rules: z
      .object({
        allowedModels: names.describe(ruleDescriptions.allowedModels),
        allowedProviders: names.describe(ruleDescriptions.allowedProviders),
        maxInputUsdPerMillion: usd.describe(ruleDescriptions.maxInputUsdPerMillion),
        maxOutputUsdPerMillion: usd.describe(ruleDescriptions.maxOutputUsdPerMillion),
        maxCallUsd: usd.describe(ruleDescriptions.maxCallUsd),
        denyTraining: z.boolean().describe(ruleDescriptions.denyTraining),
        denyRetention: z.boolean().describe(ruleDescriptions.denyRetention),
        allowedAddresses: names.describe(ruleDescriptions.allowedAddresses),
        allowedHours: z
          .object({
            days: z.array(z.enum(weekdays)).describe(hoursDescriptions.days),
            from: z.string().describe(hoursDescriptions.from),
            until: z.string().describe(hoursDescriptions.until),
          })
          .nullable()
          .describe(ruleDescriptions.allowedHours),
      })
      .describe("A rule that is null allows everything."),
  })
  .meta({ id: "Guardrail" });

export const guardrailRoutes = [
  defineRoute({
    method: "GET",
    path,
    tag,
    summary: "List guardrails",
    procedure: "guardrails.list",
    status: 200,
    input: z.strictObject(pageInput),
    output: pageSchema(guardrailSchema),
    run: async ({ caller }, page) =>
      pageOf((await caller.guardrails.list()).guardrails, page, { atOf: () => "" }),
  }),
  defineRoute({
    method: "POST",
    path,
    tag,
    summary: "Set a guardrail",
    description: "Replaces all rules of the same account, project or key.",
    procedure: "guardrails.set",
    status: 200,
    input: setGuardrailInput,
    output: z.object({ id: z.uuid().describe("Id of the guardrail.") }),
    run: ({ caller }, fields) => caller.guardrails.set(fields),
  }),
  defineRoute({
    method: "DELETE",
    path: `${path}/{id}`,
    tag,
    summary: "Remove a guardrail",
    procedure: "guardrails.remove",
    status: 200,
    input: guardrailIdInput,
    output: nothing,
    run: ({ caller }, fields) => caller.guardrails.remove(fields),
  }),
];
