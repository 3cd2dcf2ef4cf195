// Guardrails over the management API.
import { guardrailKinds } from "@turnpike/db";
import { z } from "zod";
import { guardrailIdInput, setGuardrailInput, weekdays } from "../routers/guardrails.ts";
import { defineRoute, nothing, pageInput, pageOf, pageSchema } from "./define-route.ts";

const path = "/v1/management/guardrails";
const tag = "Guardrails";
const usd = z.string().describe("USD, as an exact decimal.").nullable();
const names = z.array(z.string()).readonly().nullable();

const guardrailSchema = z
  .object({
    id: z.uuid(),
    kind: z.enum(guardrailKinds),
    subjectId: z.uuid().describe("The account, project or key whose calls it rules."),
    subjectName: z.string(),
    rules: z
      .object({
        allowedModels: names.describe("Ids; `anthropic/*` stands for all that begin like it."),
        allowedProviders: names,
        maxInputUsdPerMillion: usd,
        maxOutputUsdPerMillion: usd,
        maxCallUsd: usd.describe("The most one call may cost."),
        denyTraining: z.boolean(),
        denyRetention: z.boolean(),
        allowedAddresses: names,
        allowedHours: z
          .object({
            days: z.array(z.enum(weekdays)),
            from: z.string(),
            until: z.string().describe("Not included; before `from`, it is on the next day."),
          })
          .describe("In the account's time zone.")
          .nullable(),
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
    output: z.object({ id: z.uuid() }),
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
