// The switches of an operator: what is switched off now, stored once for all instances. A change is announced when its
// transaction commits, so that no instance reads the state before it.
import { Fault } from "@turnpike/base";
import { type Db, switchedOff } from "@turnpike/db";
import { and, asc, eq, sql } from "drizzle-orm";
import { catalogChannel } from "../apply-catalog.ts";

/** An empty name stands for all of them. */
export type SwitchTarget = {
  readonly model: string;
  readonly provider: string;
  /** Only together with its provider. */
  readonly upstreamModel: string;
};

/** With three empty names nothing is served: maintenance. */
export const everything: SwitchTarget = { model: "", provider: "", upstreamModel: "" };

export type Switch = SwitchTarget & {
  /** For operators. */
  readonly reason: string;
  /** What callers are told; empty for a sentence of our own. */
  readonly message: string;
  readonly retryAfterSeconds: number | null;
  readonly by: string;
  readonly since: Date;
};

export type SwitchOff = SwitchTarget & Pick<Switch, "reason" | "by"> & Partial<Switch>;

/** Call it in the transaction that records who does it. A switch that is off already gets the new texts. */
export async function switchOff(tx: Db, off: SwitchOff): Promise<Switch> {
  const { model, provider, upstreamModel, reason, by } = off;
  const { message = "", retryAfterSeconds = null } = off;
  const texts = { reason, by, message, retryAfterSeconds };
  const [row] = await tx
    .insert(switchedOff)
    .values({ model, provider, upstreamModel, ...texts })
    .onConflictDoUpdate({
      target: [switchedOff.model, switchedOff.provider, switchedOff.upstreamModel],
      set: texts,
    })
    .returning(columns);
  if (row === undefined) throw new Error("the switch was not stored");
  await announce(tx);
  return row;
}

/** Throws `not_found` if it was not off. */
export async function switchOn(tx: Db, target: SwitchTarget): Promise<Switch> {
  const [row] = await tx.delete(switchedOff).where(isTarget(target)).returning(columns);
  if (row === undefined) throw new Fault("not_found", "This is not switched off.");
  await announce(tx);
  return row;
}

export async function querySwitches(db: Db): Promise<Switch[]> {
  return db
    .select(columns)
    .from(switchedOff)
    .orderBy(asc(switchedOff.model), asc(switchedOff.provider), asc(switchedOff.upstreamModel));
}

const columns = {
  model: switchedOff.model,
  provider: switchedOff.provider,
  upstreamModel: switchedOff.upstreamModel,
  reason: switchedOff.reason,
  message: switchedOff.message,
  retryAfterSeconds: switchedOff.retryAfterSeconds,
  by: switchedOff.by,
  since: switchedOff.since,
};

function isTarget({ model, provider, upstreamModel }: SwitchTarget) {
  return and(
    eq(switchedOff.model, model),
    eq(switchedOff.provider, provider),
    eq(switchedOff.upstreamModel, upstreamModel),
  );
}

/** Instances read what they serve again, whatever the payload. */
async function announce(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_notify(${catalogChannel}, 'switches')`);
}
