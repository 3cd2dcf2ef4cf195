// Batches as OpenAI's API shows them.
import { type Nanos, toUsdNumber } from "@turnpike/terms";

export type BatchUsageView = {
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly completionTokens: number;
  readonly reasoningTokens: number;
};

export type BatchView = {
  /** `batch_…`. */
  readonly id: string;
  readonly endpoint: string;
  readonly state: string;
  /** `file-…`, like the next two. */
  readonly inputFileId: string;
  readonly outputFileId: string | null;
  readonly errorFileId: string | null;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly errors: readonly object[] | null;
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  /** Once it is over, like the next one. */
  readonly usage: BatchUsageView | null;
  readonly costNanos: Nanos | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly startedAt: Date | null;
  readonly cancellingAt: Date | null;
  readonly finalizingAt: Date | null;
  readonly endedAt: Date | null;
};

export function batchBody(batch: BatchView) {
  const { state, total, completed, failed, errors } = batch;
  const endedAs = (ended: string) => (state === ended ? toSeconds(batch.endedAt) : null);
  return {
    id: batch.id,
    object: "batch",
    endpoint: batch.endpoint,
    errors: errors === null ? null : { object: "list", data: errors },
    input_file_id: batch.inputFileId,
    completion_window: "24h",
    status: state,
    output_file_id: batch.outputFileId,
    error_file_id: batch.errorFileId,
    created_at: toSeconds(batch.createdAt),
    in_progress_at: toSeconds(batch.startedAt),
    expires_at: toSeconds(batch.expiresAt),
    finalizing_at: toSeconds(batch.finalizingAt),
    completed_at: endedAs("completed"),
    failed_at: endedAs("failed"),
    expired_at: endedAs("expired"),
    cancelling_at: toSeconds(batch.cancellingAt),
    cancelled_at: endedAs("cancelled"),
    request_counts: { total, completed, failed },
    ...(batch.usage !== null && { usage: usageBody(batch.usage, batch.costNanos) }),
    metadata: batch.metadata,
  };
}

function usageBody(usage: BatchUsageView, costNanos: Nanos | null) {
  const { promptTokens, cachedTokens, completionTokens, reasoningTokens } = usage;
  return {
    input_tokens: promptTokens,
    input_tokens_details: { cached_tokens: cachedTokens },
    output_tokens: completionTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: promptTokens + completionTokens,
    cost: costNanos === null ? null : toUsdNumber(costNanos),
  };
}

/** `batches` are each in the form in which it was submitted. */
export function batchListBody(batches: readonly { readonly id: string }[], hasMore: boolean) {
  return {
    object: "list",
    data: batches,
    first_id: batches.at(0)?.id ?? null,
    last_id: batches.at(-1)?.id ?? null,
    has_more: hasMore,
  };
}

export function toSeconds(at: Date | null): number | null {
  return at === null ? null : Math.floor(at.getTime() / 1_000);
}
