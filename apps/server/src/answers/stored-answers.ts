// The rows of answers that may be given again. One call owns a row at a time: it claims it before it runs
// and then keeps its answer in it or forgets it. A row whose owner died is claimed by the next call.
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
  /** A process without a heartbeat for this long counts as dead. */
  readonly silentMs: number;
};

export type ClaimedAnswer =
  /** The caller runs the call. */
  | { readonly state: "claimed" }
  /** Another call with the same name runs. */
  | { readonly state: "running" }
  /** The same name was used with another request. */
  | { readonly state: "other_request" }
  /** Finished and charged, but its answer was lost with its process, or was too large to keep. */
  | { readonly state: "not_kept"; readonly generationId: GenerationId }
  | {
      readonly state: "kept";
      readonly generationId: GenerationId;
      readonly sealed: Uint8Array;
      readonly ageMs: number;
    };

/**
 * Claims the name for a call that is about to run, or says what is known under it. A process calls this
 * for a name that none of its calls runs under: a row that says otherwise is left from a failure.
 */
export async function claimAnswer(sql: Sql, claim: AnswerClaim): Promise<ClaimedAnswer> {
  const { id, accountId, requestHash, generationId, instanceId, keepMs } = claim;
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
  if (claimed.length > 0) return { state: "claimed" };
  const [row] = await sql<FoundRow[]>`
    select request_hash, generation_id, finished_at is not null as finished, sealed,
           extract(epoch from now() - finished_at)::float8 * 1000 as age_ms
      from stored_answers where id = ${id}`;
  // Forgotten in between, or owned by nobody any more: the caller tries again.
  if (row === undefined) return claimAnswer(sql, claim);
  if (Buffer.compare(row.request_hash, requestHash) !== 0) return { state: "other_request" };
  if (!row.finished) return takeOver(sql, claim, row.generation_id);
  if (row.sealed === null) return { state: "not_kept", generationId: row.generation_id };
  return {
    state: "kept",
    generationId: row.generation_id,
    sealed: row.sealed,
    ageMs: Math.max(0, row.age_ms),
  };
}

type FoundRow = {
  readonly request_hash: Uint8Array;
  readonly generation_id: GenerationId;
  readonly finished: boolean;
  readonly sealed: Uint8Array | null;
  readonly age_ms: number;
};

/** A call whose process died is run again, unless it was charged: it must not be paid twice. */
async function takeOver(
  sql: Sql,
  { id, accountId, generationId, instanceId, silentMs }: AnswerClaim,
  staleId: GenerationId,
): Promise<ClaimedAnswer> {
  const taken = await sql`
    update stored_answers s set generation_id = ${generationId}, instance_id = ${instanceId}
     where s.id = ${id} and s.generation_id = ${staleId} and s.finished_at is null
       and not exists (
             select 1 from instances i
              where i.id = s.instance_id and i.id <> ${instanceId} and i.ended_at is null
                and i.heartbeat_at > now() - ${silentMs}::bigint * interval '1 millisecond')
       and not exists (
             select 1 from requests r
              where r.account_id = ${accountId} and r.id = ${staleId} and r.outcome = 'completed')
    returning s.id`;
  if (taken.length > 0) return { state: "claimed" };
  const [paid] = await sql`
    select 1 from stored_answers s join requests r on r.account_id = s.account_id and r.id = s.generation_id
     where s.id = ${id} and s.generation_id = ${staleId} and s.finished_at is null
       and r.outcome = 'completed'
       and not exists (
             select 1 from instances i
              where i.id = s.instance_id and i.id <> ${instanceId} and i.ended_at is null
                and i.heartbeat_at > now() - ${silentMs}::bigint * interval '1 millisecond')`;
  return paid === undefined ? { state: "running" } : { state: "not_kept", generationId: staleId };
}

type Owned = Pick<AnswerClaim, "id" | "generationId">;

/** Ends a claimed call with its answer; undefined for one too large to be kept. */
export async function keepAnswer(
  sql: Sql,
  { id, generationId }: Owned,
  sealed: Uint8Array | undefined,
): Promise<void> {
  await sql`update stored_answers set finished_at = now(), sealed = ${sealed ?? null}
             where id = ${id} and generation_id = ${generationId}`;
}

/** Ends a claimed call that gave no whole answer: the next one under its name runs. */
export async function forgetAnswer(sql: Sql, { id, generationId }: Owned): Promise<void> {
  await sql`delete from stored_answers
             where id = ${id} and generation_id = ${generationId} and finished_at is null`;
}

/** Deletes what has expired. */
export async function purgeAnswers(sql: Sql): Promise<void> {
  await sql`delete from stored_answers where expires_at <= now()`;
}
