// Which of Anthropic's beta features a caller may enable. A feature that is not listed is ignored
// rather than refused: clients send lists that change with every release.
import type { RequestHeaders } from "../protocol/request-headers.ts";

/**
 * Features that cost nothing beyond the tokens of a call. Not listed: features with their own price
 * (`fast-mode`, `context-1m`, server tools), features that run several models or iterations, and those
 * that refer to things kept in the operator's account (files, skills, threads).
 */
const allowed = new Set([
  "adaptive-thinking-2026-01-28",
  "advanced-tool-use-2025-11-20",
  "cache-diagnosis-2026-04-07",
  "claude-code-20250219",
  "computer-use-2024-10-22",
  "computer-use-2025-01-24",
  "computer-use-2025-11-24",
  "context-management-2025-06-27",
  "dev-full-thinking-2025-05-14",
  "effort-2025-11-24",
  "extended-cache-ttl-2025-04-11",
  "fine-grained-tool-streaming-2025-05-14",
  "inline-tools-2026-09-15",
  "interleaved-thinking-2025-05-14",
  "mid-conversation-output-config-2026-07-01",
  "mid-conversation-system-2026-04-07",
  "mid-conversation-system-clear-at-2026-08-21",
  "mid-conversation-tool-changes-2026-07-01",
  "model-context-window-exceeded-2025-08-26",
  "output-128k-2025-02-19",
  "output-300k-2026-03-24",
  "pdfs-2024-09-25",
  "per-turn-control-2026-07-01",
  "prompt-caching-2024-07-31",
  "prompt-caching-scope-2026-01-05",
  "redact-thinking-2026-02-12",
  "structured-outputs-2025-11-13",
  "structured-outputs-2025-12-15",
  "task-budgets-2026-03-13",
  "thinking-binding-controls-2026-08-01",
  "thinking-display-updates-2026-08-18",
  "thinking-token-count-2026-05-13",
  "token-counting-2024-11-01",
  "token-efficient-tools-2025-02-19",
]);

/** The version every stable field of the API has; a caller's own is passed on if it looks like one. */
const defaultVersion = "2023-06-01";

/** `anthropic-version` and the allowed part of `anthropic-beta`. */
export function passedHeaders(headers: RequestHeaders): Record<string, string> {
  const version = headers.get("anthropic-version") ?? "";
  const isVersion = /^\d{4}-\d{2}-\d{2}$/.test(version);
  const passed = { "anthropic-version": isVersion ? version : defaultVersion };
  const asked = (headers.get("anthropic-beta") ?? "").split(",").map((name) => name.trim());
  const betas = [...new Set(asked)].filter((name) => allowed.has(name));
  return betas.length === 0 ? passed : { ...passed, "anthropic-beta": betas.join(",") };
}
