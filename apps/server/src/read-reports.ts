// Reports read a lot: those of all accounts together never take the console's last connection, so that
// logins are answered, and one account has one read at a time, so that other accounts' reports are
// answered.
import type { ApiServices } from "@turnpike/api";
import type { Db } from "@turnpike/db";
import { type Bounds, createFairQueue, type FairQueue } from "./fair-queue.ts";
import type { Reads } from "./open-replica.ts";

const bounds: Bounds = {
  most: 1,
  waitMaxMs: 30_000,
  refusal: "Your account has too many reads waiting. Please try again in 2s.",
};

/**
 * The reads of `/v1/credits`, `/v1/key` and `/v1/generation` are short, so they do not wait for reports:
 * each account runs one at a time, so that a flood from one does not fill the queue in front of the
 * connections.
 */
export function createAccountReads(db: Db): ApiServices["report"] {
  return createReports((read) => read(db), createFairQueue(Number.POSITIVE_INFINITY));
}

export function createReports(reads: Reads, fairQueue: FairQueue): ApiServices["report"] {
  return (accountId, read) => fairQueue.run(`reports of ${accountId}`, bounds, () => reads(read));
}
