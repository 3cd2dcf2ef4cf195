// The audit log over the management API.
import { z } from "zod";
import { auditInput } from "../routers/audit.ts";
import { defineRoute, pageSchema } from "./define-route.ts";

const rowSchema = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    actorKind: z.string(),
    actor: z
      .string()
      .nullable()
      .describe("The address of a person, the name of a key; null for an operator."),
    action: z.string().describe("E.g. `key.create`."),
    objectId: z.string().nullable(),
    objectName: z.string(),
    changes: z
      .record(z.string(), z.array(z.string().nullable()).length(2).readonly())
      .nullable()
      .describe("By field: before and after."),
    address: z.string(),
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
