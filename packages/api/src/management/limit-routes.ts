// The rate limits of the account over the management API.
import { z } from "zod";
import { rateChangeInput, rateDescriptions } from "../inputs.ts";
import { defineRoute, nothing } from "./define-route.ts";

const path = "/v1/management/account/limits";
const tag = "Account";

/** Null without a limit. */
export const rateLimitFields = {
  requestsPerMinute: z.int().nullable().describe(rateDescriptions.requests),
  tokensPerMinute: z.int().nullable().describe(rateDescriptions.tokens),
  concurrency: z.int().nullable().describe(rateDescriptions.concurrency),
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
