// Begins a run: its row is there before its caller hears of it, and before anything is asked of a provider.
import type { ApiKeyId, InstanceId } from "@turnpike/base";
import { Fault } from "@turnpike/base";
import { type Db, lockOpenAccount, type RunKind, runs } from "@turnpike/db";
import type { ObjectOwner, Objects } from "@turnpike/objects";
import { count, eq, sql } from "drizzle-orm";
import { placeOfResponse, type RunPlace } from "./stored-run.ts";

export type NewRun = {
  readonly owner: ObjectOwner;
  readonly keyId: ApiKeyId;
  readonly id: RunPlace["id"];
  readonly instanceId: InstanceId;
  readonly kind: RunKind;
  /** JSON, of a response. */
  readonly response: string | null;
  readonly keptSeconds: number;
};

/** Rejects with the Fault to answer with where the account has no room. */
export async function beginRun(
  db: Db,
  { sealer, bytesMax, countMax }: Pick<Objects, "sealer" | "bytesMax" | "countMax">,
  { owner, response, ...run }: NewRun,
): Promise<void> {
  const { accountId } = owner;
  const place = placeOfResponse({ accountId, id: run.id });
  const sealedResponse = response === null ? null : sealer.seal(place, response);
  await db.transaction(async (tx) => {
    const isOpen = await lockOpenAccount(tx, accountId);
    if (!isOpen) throw new Fault("account_suspended", "This account is closed.");
    const [{ kept = 0, bytes = 0 } = {}] = await tx
      .select({ kept: count(runs.id), bytes: sql<number>`coalesce(sum(${runs.size}), 0)::float8` })
      .from(runs)
      .where(eq(runs.accountId, accountId));
    if (kept >= countMax || bytes >= bytesMax) throw noRoom(countMax, bytesMax);
    const size = sealedResponse?.byteLength ?? 0;
    await tx.insert(runs).values({ ...run, ...owner, sealedResponse, size });
  });
}

function noRoom(countMax: number, bytesMax: number): Fault {
  return new Fault(
    "permission_denied",
    `An account keeps the events of at most ${countMax} runs in the background, of ${bytesMax / 1_048_576} MiB together. They expire; delete some responses before that with DELETE /v1/responses/{id}, or wait for the answer without 'background' and without 'x-turnpike-resumable'.`,
  );
}
