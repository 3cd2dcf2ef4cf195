// Mail domains of organizations. One that is proven belongs to one organization, which may require a provider of
// everyone whose address is in it.
import type { AccountId, DomainId } from "@turnpike/base";
import { sql } from "drizzle-orm";
import { check, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { idColumn, instant } from "./columns.ts";
import { accounts } from "./people.ts";

export const domains = pgTable(
  "domains",
  {
    accountId: idColumn<AccountId>("account_id")
      .notNull()
      .references(() => accounts.id),
    id: idColumn<DomainId>("id").notNull(),
    /** In lower case. */
    domain: text("domain").notNull(),
    /** What the TXT record must contain; everyone can read it there. */
    token: text("token").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    provenAt: instant("proven_at"),
    provenBy: text("proven_by").$type<"dns" | "operator">(),
    /** The id in the configuration of the provider that everyone of the domain signs in with. */
    provider: text("provider"),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    uniqueIndex("domains_domain").on(table.accountId, table.domain),
    uniqueIndex("domains_proven").on(table.domain).where(sql`${table.provenAt} is not null`),
    check("domains_provider", sql`${table.provider} is null or ${table.provenAt} is not null`),
  ],
);
