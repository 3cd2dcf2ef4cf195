// What a line asks and what it was answered, sealed for its place: the text of one line opens in the row of no other.
import type { AccountId, BatchId, Sealer } from "@turnpike/base";
import type { LineRequest } from "./parse-line.ts";

export type LinePlace = {
  readonly accountId: AccountId;
  readonly batchId: BatchId;
  readonly line: number;
};

/** An answer to the call of a line. */
export type LineResult = {
  readonly status: number;
  readonly requestId: string;
  /** JSON. */
  readonly body: string;
};

export function sealRequest(sealer: Sealer, place: LinePlace, request: LineRequest): Uint8Array {
  return sealer.seal(placeOf("request", place), JSON.stringify(request));
}

/** Throws SealBroken. */
export function openRequest(sealer: Sealer, place: LinePlace, sealed: Uint8Array): LineRequest {
  return JSON.parse(sealer.open(placeOf("request", place), sealed));
}

export function sealResult(sealer: Sealer, place: LinePlace, result: LineResult): Uint8Array {
  return sealer.seal(placeOf("result", place), JSON.stringify(result));
}

/** Throws SealBroken. */
export function openResult(sealer: Sealer, place: LinePlace, sealed: Uint8Array): LineResult {
  return JSON.parse(sealer.open(placeOf("result", place), sealed));
}

function placeOf(what: "request" | "result", { accountId, batchId, line }: LinePlace): string {
  return `batch_lines ${what} ${accountId} ${batchId} ${line}`;
}
