// The audit log of an account: filtered, page by page, and as a file.

import { queryAuditRetention, setAuditRetention } from "@turnpike/accounts";
import type { PersonId } from "@turnpike/base";
import { type AuditRow, queryAudit } from "@turnpike/reports";
import { z } from "zod";
import {
  cursorDescription,
  cursorInput,
  idInput,
  instantInput,
  line,
  pageLimitDescription,
  pageLimitInput,
  pageRowsDefault,
} from "../inputs.ts";
import { orNull } from "../present.ts";
import { accountProcedure, noInput, provenAccountProcedure, router } from "../procedure.ts";
import { csvRowsMax, writeNewestCsv } from "../write-newest-csv.ts";

const filter = z.strictObject({
  personId: idInput<PersonId>().optional().describe("Only what this member did."),
  action: line(64)
    .optional()
    .describe("Only this action, e.g. `key.revoke`; `key` for everything done to keys."),
  objectId: line(64).optional().describe("Only what was done to this."),
  from: instantInput.optional().describe("Only at or after this time."),
  to: instantInput.optional().describe("Only before this time."),
});

export const auditInput = filter.extend({
  cursor: cursorInput.optional().describe(cursorDescription),
  limit: pageLimitInput.optional().describe(pageLimitDescription),
});

const header = ["at", "actor", "action", "object_id", "object", "changes", "address"];

export const auditRouter = router({
  list: accountProcedure("audit.read")
    .input(auditInput)
    .query(async ({ ctx, input }) => {
      const { personId: actorId, limit = pageRowsDefault, ...rest } = input;
      const query = { ...rest, actorId, accountId: ctx.account.id, limit };
      const page = await ctx.report((db) => queryAudit(db, query));
      return { rows: page.rows.map(presentAuditRow), nextCursor: orNull(page.nextCursor, String) };
    }),
  csv: accountProcedure("audit.read")
    .input(filter)
    .query(async ({ ctx, input }) => {
      const { personId: actorId, ...rest } = input;
      const query = { ...rest, actorId, accountId: ctx.account.id, limit: csvRowsMax };
      const { rows, nextCursor } = await ctx.report((db) => queryAudit(db, query));
      return { csv: writeNewestCsv(header, rows.map(cellsOf), nextCursor !== null) };
    }),
  /** How many days it is kept; null is for ever. */
  retention: accountProcedure("audit.read")
    .input(noInput)
    .query(async ({ ctx }) => ({ days: await queryAuditRetention(ctx.db, ctx.member) })),
  setRetention: provenAccountProcedure("account.own")
    .input(z.strictObject({ days: z.number().int().nullable() }))
    .mutation(async ({ ctx, input }) => {
      await setAuditRetention(ctx.db, ctx.member, input.days);
      return {};
    }),
});

function presentAuditRow(row: AuditRow) {
  const { id, at, actorName, action, objectId, objectName, changes, address } = row;
  return {
    id: String(id),
    at: at.toISOString(),
    actorKind: row.actorKind,
    /** The address of a person, the name of a key; null for an operator of this installation. */
    actor: row.actorKind === "operator" ? null : actorName,
    action,
    objectId,
    objectName,
    changes,
    address,
  };
}

function cellsOf(row: AuditRow): string[] {
  const { at, actor, action, objectId, objectName, changes, address } = presentAuditRow(row);
  const changed = changes === null ? "" : JSON.stringify(changes);
  return [at, actor ?? "operator", action, objectId ?? "", objectName, changed, address];
}
