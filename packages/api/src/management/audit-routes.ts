// The audit log over the management API.
import { z } from "zod";
import { auditInput } from "../routers/audit.ts";
import { defineRoute, pageSchema } from "./define-route.ts";

const rowSchema = z
  .object({
    id: z.string().describe("Id of the entry."),
    at: z.iso.datetime().describe("When it was done."),
    actorKind: z
      .string()
      .describe("Who did it: `person`, `management_key`, `system` or `operator`."),
    actor: z
      .string()
      .nullable()
      .describe(
        "The email address of a person, the name of a management key or of a part of the system, such as `webhooks`; null for an operator.",
      ),
    action: z.string().describe("What was done, e.g. `key.create`."),
    objectId: z.string().nullable().describe("Id of what it was done to."),
    objectName: z.string().describe("Name of what it was done to."),
    changes: z
      .record(z.string(), z.array(z.string().nullable()).length(2).readonly())
      .nullable()
      .describe("By field: before and after. Null if no field changed."),
    address: z
      .string()
      .describe("The network address it was done from; empty if the system did it on its own."),
  })
  .meta({ id: "AuditEntry" });

export const auditRoutes = [
  defineRoute({
    method: "GET",
    path: "/v1/management/audit-log",
    tag: "Audit log",
    summary: "List what was done in the account, newest first",
    description: "`action` is a whole action (`key.create`) or a noun (`key`).",
    procedure: "audit.list",
    status: 200,
    input: auditInput,
    output: pageSchema(rowSchema),
    async run({ caller }, fields) {
      const { rows, nextCursor } = await caller.audit.list(fields);
      return { data: rows, nextCursor };
    },
  }),
];
