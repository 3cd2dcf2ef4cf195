// A run as its project sees it. Its response and its events are sealed, each for its place.
import type { AccountId, GenerationId, Sealer } from "@turnpike/base";
import { type RunKind, type RunState, runs } from "@turnpike/db";

export type RunPlace = {
  readonly accountId: AccountId;
  readonly id: GenerationId;
};

export type StoredRun = {
  readonly id: GenerationId;
  readonly kind: RunKind;
  readonly state: RunState;
  /** The response as it is read now, JSON; null for a stream. */
  readonly response: string | null;
  /** Its process died, so its events have no end. */
  readonly isCut: boolean;
};

export const runColumns = {
  id: runs.id,
  kind: runs.kind,
  state: runs.state,
  sealedResponse: runs.sealedResponse,
  isCut: runs.isCut,
};

export type RunRow = Omit<StoredRun, "response"> & { readonly sealedResponse: Uint8Array | null };

/** Throws SealBroken. */
export function toStoredRun(
  sealer: Sealer,
  accountId: AccountId,
  { sealedResponse, ...row }: RunRow,
): StoredRun {
  const place = placeOfResponse({ accountId, id: row.id });
  const response = sealedResponse && sealer.open(place, sealedResponse);
  return { ...row, response };
}

export function placeOfResponse({ accountId, id }: RunPlace): string {
  return `runs ${accountId} ${id}`;
}

export function placeOfEvents({ accountId, id }: RunPlace, firstNumber: number): string {
  return `run_events ${accountId} ${id} ${firstNumber}`;
}
