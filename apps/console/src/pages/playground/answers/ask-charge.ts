// Looks up what an interrupted answer was charged: only the server knows, shortly afterwards.
import { api } from "../../../lib/api.ts";
import type { Usage } from "../../../product/completions/parse-chunk.ts";

const waitsMs = [250, 500, 1_000, 2_000, 4_000] as const;

/** Undefined if Logs do not have it after about eight seconds, or cannot be reached. */
export async function askCharge(generationId: string): Promise<Usage | undefined> {
  for (const waitMs of waitsMs) {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    const log = await api.logs.detail.query({ id: generationId }).catch(() => undefined);
    if (log?.endedAt) {
      return {
        promptTokens: log.promptTokens ?? 0,
        completionTokens: log.completionTokens ?? 0,
        costUsd: log.chargedUsd,
      };
    }
  }
  return undefined;
}
