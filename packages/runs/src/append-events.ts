// Appends the events of a run, in order and each once: what was written and whose answer was lost is written again without effect.
import type { Sealer } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import { sql } from "drizzle-orm";
import { notifyRun } from "./run-channel.ts";
import { placeOfEvents, placeOfResponse, type RunPlace } from "./stored-run.ts";

export type NewEvents = {
  readonly firstNumber: number;
  /** At least one: texts as clients get them. */
  readonly events: readonly string[];
  /** The response as it is read from now on; undefined: as before. */
  readonly response?: string | undefined;
};

/** `cancelling`: somebody asked to end it. `gone`: it was deleted, or has ended. */
export async function appendEvents(
  db: Db,
  sealer: Sealer,
  place: RunPlace,
  { firstNumber, events, response }: NewEvents,
): Promise<"running" | "cancelling" | "gone"> {
  const { accountId, id } = place;
  const text = JSON.stringify(events);
  const sealed = sealer.seal(placeOfEvents(place, firstNumber), text);
  const sealedResponse =
    response === undefined ? null : sealer.seal(placeOfResponse(place), response);
  const [run] = await db.execute<{ is_cancelling: boolean }>(sql`
    with run as (
      select r.cancelling_at is not null as is_cancelling
        from runs r
       where r.account_id = ${accountId} and r.id = ${id} and r.state = 'running'
         for update),
    written as (
      insert into run_events (account_id, run_id, first_number, last_number, sealed)
      select ${accountId}, ${id}, ${firstNumber}::int, ${firstNumber + events.length - 1}::int, ${sealed}
        from run
      on conflict do nothing
      returning length(sealed) as size),
    counted as (
      update runs r
         set size = r.size + written.size, sealed_response = coalesce(${sealedResponse}::bytea, r.sealed_response)
        from written
       where r.account_id = ${accountId} and r.id = ${id})
    select is_cancelling, ${notifyRun({ kind: "changed", id })} from run`);
  if (run === undefined) return "gone";
  return run.is_cancelling ? "cancelling" : "running";
}
