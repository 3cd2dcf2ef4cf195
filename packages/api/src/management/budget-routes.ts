// Budgets over the management API.
import { budgetsMax } from "@turnpike/budgets";
import { budgetKinds, budgetPeriods } from "@turnpike/terms";
import { z } from "zod";
import { budgetIdInput, hardBudgetDescription, setBudgetInput } from "../routers/budgets.ts";
import { defineRoute, nothing, pageInput, pageOf, pageSchema } from "./define-route.ts";

const path = "/v1/management/budgets";
const tag = "Budgets";
const usd = z.string();

const budgetSchema = z
  .object({
    id: z.uuid().describe("Id of the budget."),
    kind: z.enum(budgetKinds).describe("What it limits."),
    subjectId: z.uuid().describe("Id of the account, project, member or API key that it limits."),
    subjectName: z.string().describe("Its name."),
    period: z.enum(budgetPeriods).describe("When it begins again, in the account's time zone."),
    limitUsd: usd.describe("The limit, in USD as an exact decimal."),
    hard: z.boolean().describe(hardBudgetDescription),
    spentUsd: usd.describe("Spent in this period, in USD as an exact decimal."),
    heldUsd: usd.describe(
      "Reserved for running requests and for the next ones, in USD as an exact decimal.",
    ),
    resetsAt: z.iso.datetime().nullable().describe("When the period ends; null for `total`."),
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
    description: `Replaces the budget of the same subject and period. An account has at most ${budgetsMax}; more are refused with 409.`,
    procedure: "budgets.set",
    status: 200,
    input: setBudgetInput,
    output: z.object({ id: z.uuid().describe("Id of the budget.") }),
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
