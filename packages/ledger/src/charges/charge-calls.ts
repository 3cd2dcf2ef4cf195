// Sends one batch of finished calls to PostgreSQL: one row each, one update per lease, one durable commit. `charge_new_calls`
// takes it as a whole, if nothing in it is unusual; else it has written nothing, and `charge_calls` decides for each call.

import type { Failpoint, InstanceId } from "@turnpike/base";
import {
  arrayLiteral,
  elementsOf,
  errorCodeOf,
  foldAttempts,
  type RequestState,
  type Sql,
} from "@turnpike/db";
import { minNanos, parseNanos, toNanos } from "@turnpike/terms";
import { classifyBatchFailure } from "../batches/classify-batch-failure.ts";
import type { Charge, Charged } from "../hold.ts";
import type { Lease } from "../leases/lease.ts";
import { requestMembers, writeRequest } from "./write-request.ts";

/** A charge with the lease that pays for it. */
export type LeasedCharge = {
  readonly charge: Charge;
  readonly lease: Lease;
  /** The most the lease may spend on it; no more than was held in any case. */
  readonly capNanos: bigint;
  readonly late: boolean;
};

type Verdict = Charged["verdict"] | "late";

type Parameters = readonly [calls: string, heldMs: string | number];

const newStatement = `select charge_new_calls(${requestMembers}, $1, $2) as charged`;
const singleNewStatement = `select charge_new_call(${requestMembers}, $1, $2) as charged`;
const batchStatement = `select verdicts::text, charged::text, shortfalls::text
  from charge_calls(${requestMembers}, $1, $2)`;
const singleStatement = `select '{' || verdict || '}' as verdicts, '{' || charged || '}' as charged,
    '{' || shortfall || '}' as shortfalls
  from charge_single_call(${requestMembers}, $1, $2)`;

type Options = { readonly instanceId: InstanceId; readonly failpoint: Failpoint };

/** `late` if the lease was closed meanwhile: then nothing was written. */
export async function chargeCalls(
  sql: Sql,
  items: readonly LeasedCharge[],
  { instanceId, failpoint }: Options,
): Promise<(Charged | "late")[]> {
  const parameters = writeParameters(items, instanceId);
  if (items.every(isPlain) && (await chargeAsNew(sql, parameters, failpoint))) {
    return items.map(chargedInFull);
  }
  return chargeEach(sql, parameters, failpoint);
}

function writeParameters(items: readonly LeasedCharge[], instanceId: InstanceId): Parameters {
  const nowMs = performance.now();
  const rows = items.map((item) => writeRow(item, instanceId));
  const heldMs = items.map(({ charge }) => Math.round(nowMs - charge.hold.heldAtMs));
  const [row] = rows;
  if (rows.length === 1 && row !== undefined) return [row, heldMs[0] ?? 0];
  return [arrayLiteral(rows), arrayLiteral(heldMs)];
}

/** What it is charged depends on nothing but its cost and its hold. */
function isPlain({ charge, capNanos, late }: LeasedCharge): boolean {
  return !late && capNanos === charge.hold.grantedNanos;
}

function chargedInFull({ charge: { hold, state, costNanos } }: LeasedCharge): Charged {
  const chargedNanos = minNanos(costNanos, hold.grantedNanos);
  return { verdict: state, chargedNanos, shortfallNanos: toNanos(costNanos - chargedNanos) };
}

/** Databases that do not take a batch as a whole: there each would be sent twice. */
const refusing = new WeakSet<Sql>();

/** False if nothing was written, because something is unusual: which call it is, the other function finds out. */
async function chargeAsNew(
  sql: Sql,
  parameters: Parameters,
  failpoint: Failpoint,
): Promise<boolean> {
  if (refusing.has(sql)) return false;
  const statement = isSingle(parameters) ? singleNewStatement : newStatement;
  try {
    const [answer] = await send<{ charged: boolean }>(sql, statement, parameters, failpoint);
    if (answer?.charged === false) refusing.add(sql);
    return answer?.charged === true;
  } catch (error) {
    const isUnusual = errorCodeOf(error) === serializationFailure;
    if (isUnusual || classifyBatchFailure(error) === "bad_item") return false;
    throw error;
  }
}

/** What the functions that charge raise where a lease is closed. */
const serializationFailure = "40001";

async function chargeEach(
  sql: Sql,
  parameters: Parameters,
  failpoint: Failpoint,
): Promise<(Charged | "late")[]> {
  type Answer = { verdicts: string; charged: string; shortfalls: string };
  const statement = isSingle(parameters) ? singleStatement : batchStatement;
  const [answer] = await send<Answer>(sql, statement, parameters, failpoint);
  if (answer === undefined) throw new Error("the function returned no row");
  const charged = elementsOf(answer.charged);
  const shortfalls = elementsOf(answer.shortfalls);
  return elementsOf<Verdict>(answer.verdicts).map((verdict, index) => {
    if (verdict === "late") return "late";
    return {
      verdict,
      chargedNanos: parseNanos(charged[index] ?? ""),
      shortfallNanos: parseNanos(shortfalls[index] ?? ""),
    };
  });
}

const isSingle = ([, heldMs]: Parameters) => typeof heldMs === "number";

async function send<Answer extends object>(
  sql: Sql,
  statement: string,
  parameters: Parameters,
  failpoint: Failpoint,
): Promise<readonly Answer[]> {
  const pending = sql.unsafe<Answer[]>(statement, [...parameters], { prepare: true }).execute();
  failpoint("settle-sent");
  const answers = await pending;
  failpoint("settle-committed");
  return answers;
}

function writeRow({ charge, lease, capNanos, late }: LeasedCharge, instanceId: InstanceId): string {
  const { hold, state, costNanos } = charge;
  const { facts } = hold.request;
  const { attempts, attemptModel, attemptStartedMs, attemptWaitedMs } = foldAttempts(facts);
  return writeRequest(facts, {
    instanceId,
    leaseId: lease.id,
    state: stateOf(state, late),
    heldNanos: hold.grantedNanos,
    costNanos,
    // Up to this.
    chargedNanos: toNanos(capNanos),
    attempts,
    attemptModel,
    attemptStartedMs,
    attemptWaitedMs,
  });
}

function stateOf(state: Charge["state"], late: boolean): RequestState {
  return late && state === "settled" ? "late_settled" : state;
}
