// The exact response cache: an answer that a caller asked to be kept is returned again for the same
// request of the same API key until it expires. Shared by all instances; if the cache does not respond,
// that is a miss.
import type { AccountId, GenerationId, InstanceId } from "@turnpike/base";
import type { Log } from "@turnpike/telemetry";
import { cacheName, hashRequest, type KeptAnswer, openAnswer, sealAnswer } from "./seal-answer.ts";
import type { SharedConnections } from "./share-connections.ts";
import type { StoredRoom } from "./stored-room.ts";

export type CacheOptions = {
  readonly database: Pick<SharedConnections, "runQuery">;
  readonly instanceId: InstanceId;
  readonly log: Log;
  readonly room: Pick<StoredRoom, "take" | "giveBack">;
};

export type CachedCall = {
  readonly accountId: AccountId;
  readonly apiKey: string;
  /** The request and its protocol: equal texts are equal requests. */
  readonly operation: string;
  readonly language: string;
  readonly text: string;
  /** Values of the headers that change an answer. */
  readonly headers: readonly string[];
};

export type CacheHit = {
  readonly answer: KeptAnswer;
  readonly generationId: GenerationId;
  /** The call that produced the answer. */
  readonly model: string;
  readonly endUser: string | null;
  readonly ageSeconds: number;
  readonly ttlSeconds: number;
};

export type AnswerCache = {
  /** Undefined for a miss, and for an account that may not call: the gateway refuses it. Never rejects. */
  readonly find: (call: CachedCall) => Promise<CacheHit | undefined>;
  /** Replaces what is kept for the same request, if the account has room. Never rejects. */
  readonly keep: (
    call: CachedCall,
    answer: KeptAnswer,
    kept: { readonly generationId: GenerationId; readonly ttlSeconds: number },
  ) => Promise<void>;
};

type FoundRow = {
  readonly sealed: Uint8Array;
  readonly generation_id: GenerationId;
  readonly model: string;
  readonly end_user: string | null;
  readonly age_seconds: number;
  readonly ttl_seconds: number;
};

export function createAnswerCache({ database, instanceId, log, room }: CacheOptions): AnswerCache {
  async function guard<Result>(what: string, run: () => Promise<Result>) {
    try {
      return await run();
    } catch (error) {
      log.warn({ err: error }, what);
      return undefined;
    }
  }
  return {
    find: (call) =>
      guard("response cache not read", async () => {
        const { id } = nameCall(call);
        const [row] = await database.runQuery(
          call.accountId,
          (sql) => sql<FoundRow[]>`
          select s.sealed, s.generation_id, r.model, r.end_user,
                 floor(extract(epoch from now() - s.created_at))::int as age_seconds,
                 ceil(extract(epoch from s.expires_at - s.created_at))::int as ttl_seconds
            from stored_answers s
            join accounts a on a.id = s.account_id and a.suspended_at is null and a.frozen_at is null
            join requests r on r.account_id = s.account_id and r.id = s.generation_id
           where s.id = ${id} and s.expires_at > now() and s.sealed is not null`,
        );
        return (
          row && {
            answer: openAnswer(call.apiKey, id, row.sealed),
            generationId: row.generation_id,
            model: row.model,
            endUser: row.end_user,
            ageSeconds: row.age_seconds,
            ttlSeconds: row.ttl_seconds,
          }
        );
      }),
    async keep(call, answer, { generationId, ttlSeconds }) {
      await guard("response cache not written", async () => {
        const { id, requestHash } = nameCall(call);
        const sealed = sealAnswer(call.apiKey, id, answer);
        const wanted = { rows: 1, bytes: sealed.byteLength };
        if (!(await room.take(call.accountId, "cached", wanted))) return;
        try {
          await database.runQuery(
            call.accountId,
            (sql) => sql`
            insert into stored_answers (id, account_id, request_hash, generation_id, instance_id,
                                        expires_at, finished_at, sealed)
            values (${id}, ${call.accountId}, ${requestHash}, ${generationId}, ${instanceId},
                    now() + ${ttlSeconds}::int * interval '1 second', now(), ${sealed})
            on conflict (id) do update
               set generation_id = excluded.generation_id, instance_id = excluded.instance_id,
                   created_at = now(), expires_at = excluded.expires_at, finished_at = now(),
                   sealed = excluded.sealed`,
          );
        } catch (error) {
          room.giveBack(call.accountId, "cached", wanted);
          throw error;
        }
      });
    },
  };
}

function nameCall({ apiKey, operation, language, text, headers }: CachedCall) {
  const requestHash = hashRequest(apiKey, operation, language, ...headers, text);
  return { id: cacheName(apiKey, requestHash), requestHash };
}
