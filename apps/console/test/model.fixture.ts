// A model as the API lists it, for tests that need one.
import type { Answers } from "../src/lib/api.ts";

export type Model = Answers["models"]["list"][number];

export const noFigures: Model["figures"] = {
  recentAvailability: null,
  monthAvailability: null,
  firstTokenMs: null,
  tokensPerSecond: null,
};

export function modelOf(id: string, patch: Partial<Model> = {}): Model {
  const [lab = id, name = id] = id.split("/");
  return {
    id,
    name,
    description: "",
    lab,
    providers: [lab],
    contextTokens: 128_000,
    operation: "chat",
    maxOutputTokens: 4_096,
    inputs: ["text"],
    outputs: ["text"],
    media: null,
    capabilities: [],
    createdAt: "2026-01-01T00:00:00.000Z",
    prices: { inputUsd: "1", cachedInputUsd: "1", cacheWriteUsd: "1", outputUsd: "10" },
    priceSince: "2026-01-01T00:00:00.000Z",
    figures: noFigures,
    ...patch,
  };
}
