// Batches as Anthropic's API takes and shows them.
import { isObject, type JsonObject, parseObject } from "@turnpike/base";
import { badValue } from "../checks/body-fault.ts";
import { parseJsonBody } from "../json/parse-json-body.ts";
import { parseLimit } from "./parse-batch-fields.ts";
import { type InlineCall, parseInlineCalls } from "./parse-inline-calls.ts";
import type { BatchView } from "./present-batch.ts";

/** Throws a Fault that names the field. */
export function parseMessageBatch(text: string): InlineCall[] {
  return parseInlineCalls(parseJsonBody(text).parsed.requests, "params");
}

export type MessageBatchQuery = {
  readonly limit: number;
  readonly afterId: string | undefined;
  readonly beforeId: string | undefined;
};

/** Source: Anthropic's API. */
const limitMax = 1_000;

/** Throws a Fault that names the parameter. */
export function parseMessageBatchQuery(query: URLSearchParams): MessageBatchQuery {
  const limit = parseLimit(query, limitMax);
  const [afterId, beforeId] = [query.get("after_id"), query.get("before_id")];
  if (afterId !== null && beforeId !== null) {
    throw badValue("before_id", "a page is after one batch or before one.");
  }
  return { limit, afterId: afterId ?? undefined, beforeId: beforeId ?? undefined };
}

export type MessageBatchView = Pick<
  BatchView,
  | "id"
  | "state"
  | "total"
  | "completed"
  | "failed"
  | "createdAt"
  | "expiresAt"
  | "cancellingAt"
  | "endedAt"
> & {
  /** Of the failed ones. */
  readonly expired: number;
  readonly resultsUrl: string;
};

export function messageBatchBody(batch: MessageBatchView) {
  const { endedAt, cancellingAt } = batch;
  return {
    id: batch.id,
    type: "message_batch",
    processing_status: statusOf(batch),
    request_counts: countsOf(batch),
    ended_at: endedAt?.toISOString() ?? null,
    created_at: batch.createdAt.toISOString(),
    expires_at: batch.expiresAt.toISOString(),
    archived_at: null,
    cancel_initiated_at: cancellingAt?.toISOString() ?? null,
    results_url: endedAt === null ? null : batch.resultsUrl,
  };
}

function statusOf({ endedAt, cancellingAt }: MessageBatchView) {
  if (endedAt !== null) return "ended";
  return cancellingAt === null ? "in_progress" : "canceling";
}

/** Until all have ended, each is counted as processing. */
function countsOf({ state, endedAt, total, completed, failed, expired }: MessageBatchView) {
  if (endedAt === null) {
    return { processing: total, succeeded: 0, errored: 0, canceled: 0, expired: 0 };
  }
  const isCancelled = state === "cancelled";
  const canceled = isCancelled ? total - completed - failed : 0;
  // One that could not be run at all has no results.
  const errored = total - completed - canceled - expired;
  return { processing: 0, succeeded: completed, errored, canceled, expired };
}

export function messageBatchListBody(batches: readonly MessageBatchView[], hasMore: boolean) {
  return {
    data: batches.map(messageBatchBody),
    first_id: batches.at(0)?.id ?? null,
    last_id: batches.at(-1)?.id ?? null,
    has_more: hasMore,
  };
}

export function deletedMessageBatchBody(id: string) {
  return { id, type: "message_batch_deleted" };
}

/** A line of results as OpenAI writes it, in Anthropic's words, with its line break. */
export function messageResultLine(text: string): string {
  const line = parseObject(text);
  if (line === undefined) throw new Error("a line of results is no object");
  return `${JSON.stringify({ custom_id: line.custom_id, result: resultOf(line) })}\n`;
}

function resultOf({ response, error }: JsonObject) {
  if (!isObject(response)) {
    const isCanceled = isObject(error) && error.code === "batch_cancelled";
    return { type: isCanceled ? "canceled" : "expired" };
  }
  const { status_code: status, body } = response;
  return status === 200 ? { type: "succeeded", message: body } : { type: "errored", error: body };
}
