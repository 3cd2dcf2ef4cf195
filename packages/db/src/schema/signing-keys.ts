// The key pairs that sign receipts. At most one signs; the private part of the others is gone, and their public
// part stays published, because receipts have no end.
import { sql } from "drizzle-orm";
import { check, jsonb, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { bytes, instant } from "./columns.ts";

/** An Ed25519 key as RFC 8037 writes it. */
export type PublicKey = {
  readonly kty: "OKP";
  readonly crv: "Ed25519";
  readonly x: string;
};

export const signingKeys = pgTable(
  "signing_keys",
  {
    /** The `kid` of its signatures: the thumbprint of RFC 7638. */
    id: text("id").primaryKey(),
    publicKey: jsonb("public_key").$type<PublicKey>().notNull(),
    /** Sealed under SEALING_KEY; null since it was retired. */
    sealedPrivate: bytes("sealed_private"),
    createdAt: instant("created_at").notNull().defaultNow(),
    retiredAt: instant("retired_at"),
  },
  (table) => [
    uniqueIndex("signing_keys_current").on(sql`(true)`).where(sql`${table.retiredAt} is null`),
    check(
      "signing_keys_private_part",
      sql`(${table.retiredAt} is null) = (${table.sealedPrivate} is not null)`,
    ),
  ],
);
