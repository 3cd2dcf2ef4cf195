// Prompts and answers of projects that store them: how many were stored, and how many were not.

import { Counter, type Registry } from "prom-client";

/** `busy`: too much waits to be stored; `full`: the account has no room; `failed`: the database did not take it. */
export type PromptsNotStored = "busy" | "full" | "too_large" | "failed";

export type PromptMeters = {
  promptsStored(count: number): void;
  promptsNotStored(reason: PromptsNotStored, count: number): void;
};

export function createPromptMeters(registry: Registry): PromptMeters {
  const registers = [registry];
  const stored = new Counter({
    name: "turnpike_prompts_stored_total",
    help: "Calls whose prompt and answer were stored, because their project has that switched on.",
    registers,
  });
  const notStored = new Counter({
    name: "turnpike_prompts_not_stored_total",
    help: "Calls of such projects whose prompt and answer were not stored, by reason.",
    labelNames: ["reason"] as const,
    registers,
  });
  return {
    promptsStored: (count) => stored.inc(count),
    promptsNotStored: (reason, count) => notStored.inc({ reason }, count),
  };
}
