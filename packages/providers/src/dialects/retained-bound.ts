// Bounds what a translated stream may make this process keep beyond the tokens it delivers: encrypted
// reasoning, log probabilities, members of calls, and calls that are complete only at their end. Tokens are
// bounded by what the call holds.
import { Fault } from "@turnpike/base";
import type { DeltaEvent } from "@turnpike/wire";

/** As much as a whole answer may have. */
const maxChars = 32 * 1024 * 1024;
/** What the smallest event costs if it is remembered. */
const charsPerDelta = 512;

export class RetainedBound {
  #chars = 0;

  /** Adds what is emitted; `tokens` is what it delivers. Throws a Fault beyond the bound. */
  addDeltas(deltas: readonly DeltaEvent[], tokens: number): void {
    let chars = tokens === 0 ? deltas.length * charsPerDelta : 0;
    for (const delta of deltas) chars += uncountedChars(delta);
    if (chars > 0) this.add(chars);
  }

  /** Adds what is kept here. */
  add(chars: number): void {
    this.#chars += chars;
    if (this.#chars <= maxChars) return;
    throw new Fault("bad_gateway", "The upstream provider sent more than an answer can have.");
  }
}

/** The size of what is in no count of tokens. */
function uncountedChars(delta: DeltaEvent): number {
  switch (delta.kind) {
    case "reasoning":
      return delta.signature?.length ?? 0;
    case "reasoning_encrypted":
      return delta.data.length;
    case "tool_call":
      return delta.extra === undefined ? 0 : JSON.stringify(delta.extra).length;
    case "logprobs":
      return JSON.stringify(delta.logprobs).length;
    case "image":
      return delta.url.length;
    case "audio":
      return JSON.stringify(delta.audio).length;
    default:
      return 0;
  }
}
