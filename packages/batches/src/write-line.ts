// One line of a file of results, as OpenAI writes it: an answer, good or bad, or why there was none.
import { type GenerationId, newId, type Sealer } from "@turnpike/base";
import type { LineState } from "@turnpike/db";
import type { ClaimedBatch } from "./batch-queue.ts";
import { openRequest, openResult } from "./sealed-lines.ts";

export type EndedLine = {
  readonly line: number;
  readonly state: LineState;
  readonly generationId: GenerationId | null;
  readonly sealedRequest: Uint8Array;
  readonly sealedResult: Uint8Array | null;
};

const withoutCall = {
  expired: {
    code: "batch_expired",
    message: "This request could not be executed before the completion window expired.",
  },
  cancelled: {
    code: "batch_cancelled",
    message: "This request was not executed, because the batch was cancelled.",
  },
} as const;

/** Throws SealBroken. */
export function writeLine(
  sealer: Sealer,
  { accountId, id: batchId }: Pick<ClaimedBatch, "accountId" | "id">,
  { line, state, generationId, sealedRequest, sealedResult }: EndedLine,
): string {
  const place = { accountId, batchId, line };
  const { customId } = openRequest(sealer, place, sealedRequest);
  const digits = (generationId ?? newId<GenerationId>()).replaceAll("-", "");
  const head = `{"id":"batch_req_${digits}","custom_id":${JSON.stringify(customId)}`;
  if (sealedResult === null) {
    const error = state === "cancelled" ? withoutCall.cancelled : withoutCall.expired;
    return `${head},"response":null,"error":${JSON.stringify(error)}}\n`;
  }
  const { status, requestId, body } = openResult(sealer, place, sealedResult);
  // JSON has line breaks between its values only.
  const flat = body.replace(/[\r\n]/g, " ");
  return `${head},"response":{"status_code":${status},"request_id":${JSON.stringify(requestId)},"body":${flat}},"error":null}\n`;
}
