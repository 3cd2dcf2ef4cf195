// Budgets over the management API.
import { budgetKinds, budgetPeriods } from "@turnpike/db";
import { z } from "zod";
import { budgetIdInput, setBudgetInput } from "../routers/budgets.ts";
import { defineRoute, nothing, pageInput, pageOf, pageSchema } from "./define-route.ts";

const path = "/v1/management/budgets";
const tag = "Budgets";
const usd = z.string().describe("USD, as an exact decimal.");

const budgetSchema = z
  .object({
    id: z.uuid(),
    kind: z.enum(budgetKinds),
    subjectId: z.uuid().describe("The account, project, member or key that it limits."),
    subjectName: z.string(),
    period: z.enum(budgetPeriods),
    limitUsd: usd,
    hard: z.boolean().describe("Calls beyond it are refused; otherwise only mails are sent."),
    spentUsd: usd,
    heldUsd: usd.describe("Reserved for running requests."),
    resetsAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "Budget" });

export const budgetRoutes = [
  defineRoute({
    method: "GET",
    path,
    tag,
    summary: "List budgets",
    procedure: "budgets.list",
    status: 200,
    input: z.strictObject(pageInput),
    output: pageSchema(budgetSchema),
    run: async ({ caller }, page) =>
      pageOf((await caller.budgets.list()).budgets, page, { atOf: () => "" }),
  }),
  defineRoute({
    method: "POST",
    path,
    tag,
    summary: "Set a budget",
    description: "Replaces the budget of the same subject and period.",
    procedure: "budgets.set",
    status: 200,
    input: setBudgetInput,
    output: z.object({ id: z.uuid() }),
    run: ({ caller }, fields) => caller.budgets.set(fields),
  }),
  defineRoute({
    method: "DELETE",
    path: `${path}/{id}`,
    tag,
    summary: "Remove a budget",
    procedure: "budgets.remove",
    status: 200,
    input: budgetIdInput,
    output: nothing,
    run: ({ caller }, fields) => caller.budgets.remove(fields),
  }),
];
