// The account itself over the management API: what a program must know of it, and its time zone.
import { z } from "zod";
import { timeZoneInput } from "../inputs.ts";
import { defineRoute } from "./define-route.ts";

const path = "/v1/management/account";
const tag = "Account";

const accountSchema = z
  .object({
    id: z.uuid().describe("Also the id of the default project."),
    kind: z
      .enum(["personal", "organization"])
      .describe("Whether it belongs to one person or has members."),
    name: z.string().describe("Its name."),
    slug: z.string().describe("Names the account in the URLs of the console."),
    timeZone: z.string().describe("Where the periods of budgets begin."),
  })
  .meta({ id: "Account" });

export const accountRoutes = [
  defineRoute({
    method: "GET",
    path,
    tag,
    summary: "Read the account",
    procedure: "accounts.read",
    status: 200,
    input: z.strictObject({}),
    output: accountSchema,
    run: ({ caller }) => caller.accounts.read(),
  }),
  defineRoute({
    method: "PATCH",
    path,
    tag,
    summary: "Change the time zone of budgets",
    procedure: "budgets.setTimeZone",
    status: 200,
    input: z.strictObject({
      timeZone: timeZoneInput.describe("IANA name, such as `Europe/Berlin`."),
    }),
    output: z.object({}),
    run: ({ caller }, fields) => caller.budgets.setTimeZone(fields),
  }),
];
