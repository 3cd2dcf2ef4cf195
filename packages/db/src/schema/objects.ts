// What callers ask to be kept: files, responses, and conversations with their turns. Names, hashes and contents are sealed, so the table alone reveals nothing but what kind of thing
// was kept, how large it is and when. A row that nobody may see, because its bytes are still being written or
// about to be deleted, has another state than `ready` and an expiry.
import type { AccountId, ApiKeyId, ObjectId, ProjectId } from "@turnpike/base";
import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
} from "drizzle-orm/pg-core";
import { bytes, idColumn, instant, listed } from "./columns.ts";
import { projects } from "./projects.ts";

export const objectKinds = ["file", "response", "conversation", "turn"] as const;
export type ObjectKind = (typeof objectKinds)[number];

const objectStates = ["writing", "ready", "deleted"] as const;

export const objects = pgTable(
  "objects",
  {
    accountId: idColumn<AccountId>("account_id").notNull(),
    id: idColumn<ObjectId>("id").notNull(),
    projectId: idColumn<ProjectId>("project_id").notNull(),
    /** Which key made it; keys of the same project may read and delete it. */
    keyId: idColumn<ApiKeyId>("key_id").notNull(),
    kind: text("kind").$type<ObjectKind>().notNull(),
    state: text("state", { enum: objectStates }).notNull(),
    /** What its caller wants it for; null while it is written, like what follows. */
    purpose: text("purpose"),
    /** By its content. */
    mediaType: text("media_type"),
    /** While it is written: what was declared. */
    size: bigint("size", { mode: "number" }).notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    /** Null: it is kept until it is deleted. */
    expiresAt: instant("expires_at"),
    /** Its name, its hash and the key of its bytes, under SEALING_KEY. */
    sealedHead: bytes("sealed_head"),
    /** Small contents, encrypted. */
    sealed: bytes("sealed"),
    /** Where larger contents are in the blob store. */
    blob: text("blob"),
    /** Of a response: the one it continues. Of a turn: its conversation. */
    parentId: idColumn<ObjectId>("parent_id"),
    /** Of a turn: its place in the conversation. */
    position: integer("position"),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    foreignKey({
      columns: [table.accountId, table.projectId],
      foreignColumns: [projects.accountId, projects.id],
    }).onDelete("cascade"),
    index("objects_of_project").on(table.accountId, table.projectId, table.id),
    index("objects_of_parent")
      .on(table.accountId, table.parentId, table.position)
      .where(sql`${table.parentId} is not null`),
    index("objects_expiry").on(table.expiresAt).where(sql`${table.expiresAt} is not null`),
    check("objects_kind", sql`${table.kind} in ${listed(objectKinds)}`),
    check("objects_state", sql`${table.state} in ${listed(objectStates)}`),
    check(
      "objects_ready",
      sql`${table.state} <> 'ready' or (${table.purpose} is not null and ${table.mediaType} is not null
        and ${table.sealedHead} is not null and (${table.sealed} is null) <> (${table.blob} is null))`,
    ),
    check(
      "objects_turn",
      sql`${table.kind} <> 'turn' or ${table.state} <> 'ready'
        or (${table.parentId} is not null and ${table.position} is not null)`,
    ),
    check("objects_unready", sql`${table.state} = 'ready' or ${table.expiresAt} is not null`),
  ],
);
