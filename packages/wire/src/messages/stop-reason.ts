// Why an answer ended, in Anthropic's terms.
import type { DeltaEvent } from "../protocol/pivot.ts";

export type Finish = Extract<DeltaEvent, { kind: "finish" }>;

export type Stop = {
  readonly stop_reason: string;
  /** The caller's own sequence that was met, if the upstream says which. */
  readonly stop_sequence: string | null;
};

/** An answer without a reason has ended its turn. `isRefusal`: the model sent it as a refusal. */
export function stopOf(finish: Finish | undefined, isRefusal: boolean): Stop {
  const stopSequence = finish?.stopSequence ?? null;
  if (stopSequence !== null) return { stop_reason: "stop_sequence", stop_sequence: stopSequence };
  const word = wordOf(finish);
  // OpenAI ends a refusal with `stop`; Claude's clients look for the reason.
  const reason = isRefusal && word === "end_turn" ? "refusal" : word;
  return { stop_reason: reason, stop_sequence: null };
}

function wordOf(finish: Finish | undefined): string {
  switch (finish?.reason) {
    case "length":
      return "max_tokens";
    case "tool_calls":
    case "function_call":
      return "tool_use";
    case "content_filter":
      return "refusal";
    default:
      return "end_turn";
  }
}
