// Objects that continue others of their sort: each names the one before it. A chain in use stays whole, because a new end of
// it keeps everything before it for as long as itself.
import type { ObjectId } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import { type SQL, sql } from "drizzle-orm";
import { inSeconds, type ObjectOwner, type ObjectSort } from "./objects.ts";

export type ChainLink = { readonly id: ObjectId; readonly size: number };

export type Chain = {
  /** The oldest one first. */
  readonly links: readonly ChainLink[];
  /** False if one before them is missing, or was not looked for. */
  readonly isWhole: boolean;
};

type LinkRow = {
  readonly id: ObjectId;
  readonly parent_id: ObjectId | null;
  readonly size: string;
};

/** What `id` continues, and itself; of no more than `linksMax`. No links: the project has no such object. */
export async function queryChain(
  db: Db,
  owner: ObjectOwner,
  sort: ObjectSort,
  { id, linksMax }: { readonly id: ObjectId; readonly linksMax: number },
): Promise<Chain> {
  const rows = await db.execute<LinkRow>(sql`
    ${chainOf(owner, sort, id, linksMax)}
    select id, parent_id, size from chain order by depth desc`);
  const links = rows.map(({ id: link, size }) => ({ id: link, size: Number(size) }));
  return { links, isWhole: rows.at(0)?.parent_id === null };
}

/** Keeps a chain for at least this long from now. */
export async function keepChain(
  tx: Db,
  owner: ObjectOwner,
  sort: ObjectSort,
  {
    id,
    linksMax,
    seconds,
  }: { readonly id: ObjectId; readonly linksMax: number; readonly seconds: number },
): Promise<void> {
  await tx.execute(sql`
    ${chainOf(owner, sort, id, linksMax)}
    update objects o set expires_at = ${inSeconds(seconds)}
      from chain
     where o.account_id = ${owner.accountId}::uuid and o.id = chain.id and o.state = 'ready'
       and o.expires_at < ${inSeconds(seconds)}`);
}

/** A link is of the project of the first one, so a chain never leads to what its caller may not see. */
function chainOf(
  { accountId, projectId }: ObjectOwner,
  sort: ObjectSort,
  id: ObjectId,
  linksMax: number,
): SQL {
  const isOfSort =
    typeof sort === "string"
      ? sql`o.kind = ${sort}`
      : sql`o.kind = ${sort.kind} and o.purpose = ${sort.purpose}`;
  const isVisible = sql`o.account_id = ${accountId}::uuid and o.project_id = ${projectId}::uuid
    and ${isOfSort} and o.state = 'ready' and (o.expires_at is null or o.expires_at > now())`;
  return sql`
    with recursive chain as (
      select o.id, o.parent_id, o.size, 1 as depth from objects o
       where ${isVisible} and o.id = ${id}::uuid
      union all
      select o.id, o.parent_id, o.size, chain.depth + 1 from chain join objects o on o.id = chain.parent_id
       where ${isVisible} and chain.depth < ${linksMax}::int)`;
}
