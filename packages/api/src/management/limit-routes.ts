// The rate limits of the account over the management API.
import { z } from "zod";
import { rateChangeInput, rateDescriptions } from "../inputs.ts";
import { defineRoute, nothing } from "./define-route.ts";

const path = "/v1/management/account/limits";
const tag = "Account";

export const rateLimitFields = {
  requestsPerMinute: z
    .int()
    .nullable()
    .describe(`${rateDescriptions.requests} Null without a limit.`),
  tokensPerMinute: z.int().nullable().describe(`${rateDescriptions.tokens} Null without a limit.`),
  concurrency: z.int().nullable().describe(`${rateDescriptions.concurrency} Null without a limit.`),
} as const;

export const limitRoutes = [
  defineRoute({
    method: "GET",
    path,
    tag,
    summary: "Read the rate limits of the account",
    procedure: "accounts.limits",
    status: 200,
    input: z.strictObject({}),
    output: z.object(rateLimitFields).meta({ id: "RateLimits" }),
    run: ({ caller }) => caller.accounts.limits(),
  }),
  defineRoute({
    method: "PATCH",
    path,
    tag,
    summary: "Change the rate limits of the account",
    description:
      "They apply to all its requests together. Null removes a limit; what is absent stays.",
    procedure: "accounts.setLimits",
    status: 200,
    input: rateChangeInput,
    output: nothing,
    run: ({ caller }, fields) => caller.accounts.setLimits(fields),
  }),
];
