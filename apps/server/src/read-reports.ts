// Reports read much: of all accounts together they never have the console's last connection, so that logins
// are answered, and one account has one read at a time, so that the reports of others are.
import type { ApiServices } from "@turnpike/api";
import type { Db } from "@turnpike/db";
import { type Bounds, openTurns, type Turns } from "./take-turns.ts";

const bounds: Bounds = {
  most: 1,
  waitMaxMs: 30_000,
  refusal: "Your account has too many reads waiting. Please try again in 2s.",
};

/**
 * The reads of `/v1/credits`, `/v1/key` and `/v1/generation` are short, so they wait for no reports: of each
 * account one runs at a time, so that a flood of one does not fill the queue before the connections.
 */
export function openAccountReads(db: Db): ApiServices["report"] {
  return openReports(db, openTurns(Number.POSITIVE_INFINITY));
}

export function openReports(db: Db, turns: Turns): ApiServices["report"] {
  return (accountId, read) => turns.run(`reports of ${accountId}`, bounds, () => read(db));
}
