// Outgoing mail: inserted in the transaction that causes it, sent by a worker, and retried until it
// is accepted or given up.
import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "./columns.ts";

export const outbox = pgTable(
  "outbox",
  {
    id: uuid("id").primaryKey(),
    recipient: text("recipient").notNull(),
    /** Written and read only by the mail package, which defines the kinds. */
    message: jsonb("message").$type<{ readonly kind: string }>().notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    sendAfter: instant("send_after").notNull().defaultNow(),
    attempts: integer("attempts").notNull().default(0),
    sentAt: instant("sent_at"),
    /** Given up: too many attempts, or the address was refused. */
    failedAt: instant("failed_at"),
    lastError: text("last_error"),
  },
  (table) => [
    index("outbox_recipient").on(table.recipient, table.createdAt),
    index("outbox_due")
      .on(table.sendAfter)
      .where(sql`${table.sentAt} is null and ${table.failedAt} is null`),
  ],
);
