// The rows of answers that may be returned again. One call owns a row at a time: it claims it before it
// runs and then stores its answer in it or deletes it. A row whose owner died is claimed by the next call.
import type { AccountId, GenerationId, InstanceId } from "@turnpike/base";
import type { Sql } from "@turnpike/db";

export type AnswerClaim = {
  /** See `answerName`. */
  readonly id: Uint8Array;
  readonly accountId: AccountId;
  readonly requestHash: Uint8Array;
  readonly generationId: GenerationId;
  readonly instanceId: InstanceId;
  readonly keepMs: number;
  /** A process without a heartbeat for this long is considered dead. */
  readonly silentMs: number;
  /** Whether an unknown name may be claimed. */
  readonly mayInsert: boolean;
  /** How long ago the call arrived: if another call was charged since then, this one does not run. */
  readonly waitedMs: number;
};

export type ClaimedAnswer =
  /**
   * The caller must run the call. `chargedId` was charged and died with its process; `sealed` is an answer that broke
   * off before that.
   */
  | { readonly state: "claimed"; readonly chargedId?: GenerationId; readonly sealed?: Uint8Array }
  /** Another call with the same name is running. */
  | { readonly state: "running" }
  /** The same name was used with another request. */
  | { readonly state: "other_request" }
  /** The name is unknown, and the account has no room for it. */
  | { readonly state: "full" }
  /** What is known may not be returned: the account may not call. */
  | { readonly state: Stopped }
  /** Stored before the call arrived. */
  | (BrokenAnswer & { readonly state: "kept_earlier" })
  | KnownAnswer;

/** Why an account may not call. */
export type Stopped = "suspended" | "frozen";

type StoredAnswer = { readonly generationId: GenerationId; readonly sealed: Uint8Array };

/** Charged for its part: what the row of a rerun becomes again if that is refused. */
export type BrokenAnswer = StoredAnswer & {
  /** As PostgreSQL writes it: calls that arrived later run again. */
  readonly finishedAt: string;
};

export type KnownAnswer =
  /** Charged, but its answer was lost with its process, was too large to keep, or was cut off. */
  | { readonly state: "not_kept"; readonly generationId: GenerationId }
  | (StoredAnswer & { readonly state: "kept" });

/**
 * Claims the name for a call that is about to run, or says what is known under it. A process calls this
 * for a name that none of its calls runs under: a row that says otherwise is left over from a failure.
 */
export async function claimAnswer(sql: Sql, claim: AnswerClaim): Promise<ClaimedAnswer> {
  const { id, requestHash } = claim;
  // Read first: calls that wait for another one call this repeatedly.
  const [row] = await sql<FoundRow[]>`
    select request_hash, generation_id, sealed,
           finished_at < ${arrival(sql, claim)} as earlier,
           finished_at::text as finished_at, ${stopped(sql)} as stopped
      from stored_answers s join accounts a on a.id = s.account_id
     where s.id = ${id} and s.expires_at > now()`;
  if (row === undefined) {
    if (!claim.mayInsert) return { state: "full" };
    return (await insertClaim(sql, claim)) ?? claimAnswer(sql, claim);
  }
  if (Buffer.compare(row.request_hash, requestHash) !== 0) return { state: "other_request" };
  if (row.stopped !== null) return { state: row.stopped };
  const { generation_id: generationId, sealed, finished_at: finishedAt } = row;
  if (finishedAt === null) return takeOver(sql, claim, generationId);
  if (sealed === null) return { state: "not_kept", generationId };
  if (!row.earlier) return { state: "kept", generationId, sealed };
  return { state: "kept_earlier", generationId, sealed, finishedAt };
}

/** Of the account `a`; null if it may call. */
const stopped = (sql: Sql) => sql`
  case when a.suspended_at is not null then 'suspended' when a.frozen_at is not null then 'frozen' end`;

/** Undefined for an account that may call. */
export async function queryStopped(sql: Sql, accountId: AccountId): Promise<Stopped | undefined> {
  const [row] = await sql<{ stopped: Stopped | null }[]>`
    select ${stopped(sql)} as stopped from accounts a where a.id = ${accountId}`;
  return row?.stopped ?? undefined;
}

/** When the call arrived, by the database's clock. */
const arrival = (sql: Sql, { waitedMs }: Pick<AnswerClaim, "waitedMs">) =>
  sql`clock_timestamp() - ${waitedMs}::float8 * interval '1 millisecond'`;

/** Undefined if another call was faster. */
async function insertClaim(
  sql: Sql,
  { id, accountId, requestHash, generationId, instanceId, keepMs }: AnswerClaim,
): Promise<ClaimedAnswer | undefined> {
  const claimed = await sql`
    insert into stored_answers as s
           (id, account_id, request_hash, generation_id, instance_id, expires_at)
    values (${id}, ${accountId}, ${requestHash}, ${generationId}, ${instanceId},
            now() + ${keepMs}::bigint * interval '1 millisecond')
    on conflict (id) do update
       set request_hash = excluded.request_hash, generation_id = excluded.generation_id,
           instance_id = excluded.instance_id, created_at = now(), finished_at = null,
           sealed = null, expires_at = excluded.expires_at
     where s.expires_at <= now()
    returning id`;
  return claimed.length > 0 ? { state: "claimed" } : undefined;
}

type FoundRow = {
  readonly request_hash: Uint8Array;
  readonly generation_id: GenerationId;
  readonly finished_at: string | null;
  readonly earlier: boolean | null;
  readonly stopped: Stopped | null;
  readonly sealed: Uint8Array | null;
};

/**
 * Claims the name of an answer that broke off for a call that runs again; false if another was faster. The row keeps
 * the answer until that one has ended.
 */
export async function claimBroken(
  sql: Sql,
  { id, generationId, instanceId, keepMs }: AnswerClaim,
  brokenId: GenerationId,
): Promise<boolean> {
  const { count } = await sql`
    update stored_answers
       set generation_id = ${generationId}, instance_id = ${instanceId}, created_at = now(),
           finished_at = null, expires_at = now() + ${keepMs}::bigint * interval '1 millisecond'
     where id = ${id} and generation_id = ${brokenId} and finished_at is not null`;
  return count > 0;
}

/**
 * For a row `r`: charged for an answer, or for one that its client did not wait for. An answer that broke
 * off was charged for its part, and may run again; a complete call that was released was free.
 */
const isPaid = (sql: Sql) =>
  sql`r.outcome in ('completed', 'client_closed') and r.state <> 'released'`;

/** A paid call whose answer is still not stored after this time has lost it. */
const storedWithinSeconds = 60;

/** Of the rows with these ids, in hex, those whose calls still run on other instances. */
export async function findRunning(
  sql: Sql,
  names: readonly string[],
  { instanceId, silentMs }: Pick<AnswerClaim, "instanceId" | "silentMs">,
): Promise<ReadonlySet<string>> {
  const rows = await sql<{ name: string }[]>`
    select encode(s.id, 'hex') as name
      from stored_answers s
      join instances i on i.id = s.instance_id
     where s.id in (select decode(n, 'hex') from unnest(string_to_array(${names.join(",")}, ',')) n)
       and s.expires_at > now() and s.finished_at is null
       and i.id <> ${instanceId} and i.ended_at is null
       and i.heartbeat_at > now() - ${silentMs}::bigint * interval '1 millisecond'
       and not exists (
             select 1 from requests r
              where r.account_id = s.account_id and r.id = s.generation_id and ${isPaid(sql)}
                and r.ended_at < now() - ${storedWithinSeconds}::int * interval '1 second')`;
  return new Set(rows.map(({ name }) => name));
}

/**
 * A call whose process died is run again, unless it was charged: it must not be paid twice. One that was
 * charged for an answer that broke off is run again by calls that arrived later.
 */
async function takeOver(
  sql: Sql,
  claim: AnswerClaim,
  staleId: GenerationId,
): Promise<ClaimedAnswer> {
  const { id, accountId, generationId, instanceId, silentMs } = claim;
  const isFinal = sql`(${isPaid(sql)}
    or r.cost_nanos > 0 and r.ended_at >= ${arrival(sql, claim)})`;
  const [paid] = await sql<{ lost: boolean }[]>`
    select r.ended_at < now() - ${storedWithinSeconds}::int * interval '1 second'
           or not exists (
             select 1 from instances i
              where i.id = s.instance_id and i.id <> ${instanceId} and i.ended_at is null
                and i.heartbeat_at > now() - ${silentMs}::bigint * interval '1 millisecond') as lost
      from stored_answers s join requests r on r.account_id = s.account_id and r.id = s.generation_id
     where s.id = ${id} and s.account_id = ${accountId} and r.id = ${staleId}
       and ${isFinal}`;
  if (paid !== undefined) {
    return paid.lost ? { state: "not_kept", generationId: staleId } : { state: "running" };
  }
  const taken = await sql<{ charged: boolean; sealed: Uint8Array | null }[]>`
    update stored_answers s set generation_id = ${generationId}, instance_id = ${instanceId}
     where s.id = ${id} and s.generation_id = ${staleId} and s.finished_at is null
       and not exists (
             select 1 from instances i
              where i.id = s.instance_id and i.id <> ${instanceId} and i.ended_at is null
                and i.heartbeat_at > now() - ${silentMs}::bigint * interval '1 millisecond')
       and not exists (
             select 1 from requests r
              where r.account_id = ${accountId} and r.id = ${staleId} and ${isFinal})
    returning exists (
             select 1 from requests r
              where r.account_id = ${accountId} and r.id = ${staleId} and r.cost_nanos > 0) as charged,
           s.sealed`;
  const [row] = taken;
  if (row === undefined) return { state: "running" };
  const { charged, sealed } = row;
  return { state: "claimed", ...(charged && { chargedId: staleId }), ...(sealed && { sealed }) };
}

type Owned = Pick<AnswerClaim, "id" | "generationId">;

/** Ends a claimed call that was charged, with its answer if that is kept. */
export async function persistAnswer(
  sql: Sql,
  { id, generationId }: Owned,
  sealed: Uint8Array | undefined,
): Promise<void> {
  await sql`update stored_answers set finished_at = now(), sealed = ${sealed ?? null}
             where id = ${id} and generation_id = ${generationId}`;
}

/** Ends a claimed call without a complete answer: the next one under its name runs. */
export async function forgetAnswer(sql: Sql, { id, generationId }: Owned): Promise<void> {
  await sql`delete from stored_answers
             where id = ${id} and generation_id = ${generationId} and finished_at is null`;
}

/** Ends a rerun that was free: the answer that broke off before it is known again. */
export async function restoreBroken(
  sql: Sql,
  { id, generationId }: Owned,
  broken: BrokenAnswer,
): Promise<void> {
  await sql`
    update stored_answers
       set generation_id = ${broken.generationId}, sealed = ${broken.sealed},
           finished_at = ${broken.finishedAt}::text::timestamptz
     where id = ${id} and generation_id = ${generationId} and finished_at is null`;
}

/** What one statement deletes: every connection limits how long a statement may take. */
const pieceRows = 5_000;
/** More are left to the next run. */
const piecesMax = 50;

/** Deletes expired rows, except those that another transaction is using. */
export async function purgeAnswers(sql: Sql, rows = pieceRows): Promise<void> {
  for (let pieces = 0; pieces < piecesMax; pieces += 1) {
    const { count } = await sql`
      delete from stored_answers where id in (
        select id from stored_answers where expires_at <= now()
         limit ${rows}::int for update skip locked)`;
    if (count < rows) return;
  }
}
