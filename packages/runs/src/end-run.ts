// Ends a run, once: the first end counts. Its readers and the webhook endpoints of its account are notified.
import { responseIdOf, type Sealer } from "@turnpike/base";
import { type Db, queueWebhook, type RunState, runs } from "@turnpike/db";
import { and, eq, sql } from "drizzle-orm";
import { notifyRun } from "./run-channel.ts";
import { placeOfResponse, type RunPlace } from "./stored-run.ts";

export type RunEnd = {
  readonly state: Exclude<RunState, "running">;
  /** The response as it is read from now on; undefined: as before. */
  readonly response?: string | undefined;
  readonly isCut?: boolean;
};

/** False if it had ended before, or is gone. */
export async function endRun(
  db: Db,
  sealer: Sealer,
  place: RunPlace,
  { state, response, isCut = false }: RunEnd,
): Promise<boolean> {
  const { accountId, id } = place;
  return db.transaction(async (tx) => {
    const [ended] = await tx
      .update(runs)
      .set({
        state,
        isCut,
        endedAt: sql`now()`,
        expiresAt: sql`now() + make_interval(secs => ${runs.keptSeconds})`,
        ...(response !== undefined && {
          sealedResponse: sealer.seal(placeOfResponse(place), response),
        }),
      })
      .where(and(eq(runs.accountId, accountId), eq(runs.id, id), eq(runs.state, "running")))
      .returning({ kind: runs.kind });
    if (ended === undefined) return false;
    if (ended.kind === "response") {
      const told = { id: responseIdOf(id), status: state };
      await queueWebhook(tx, accountId, { type: "response.completed", data: { response: told } });
    }
    await tx.execute(sql`select ${notifyRun({ kind: "changed", id })}`);
    return true;
  });
}
