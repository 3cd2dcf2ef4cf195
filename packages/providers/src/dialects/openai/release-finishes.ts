// Why the choices of a stream ended, which is said last, once all that they wrote is known: some upstreams say it with
// each piece of text, and others write on behind it.
import type { JsonObject } from "@turnpike/base";
import type { StreamEvent } from "../../provider.ts";
import { brokenOff } from "../../refusals/refuse.ts";
import type { RetainedBound } from "../retained-bound.ts";
import type { ChatCall } from "./build-request.ts";
import { eventOf } from "./choice-event.ts";
import { translateFinishReason } from "./finish-reason.ts";
import { type ChoiceMemory, releaseHeld } from "./normalize-delta.ts";
import { renameCalls } from "./rename-calls.ts";

/** The last finish of a choice, in the upstream's words. */
export type HeldFinish = {
  readonly word: string;
  readonly native: string;
  /** Members that came with it, of its choice and of its chunk. */
  readonly beside: JsonObject;
  readonly head: JsonObject;
};

type Held = {
  readonly choices: ReadonlyMap<number, ChoiceMemory>;
  readonly finishes: Map<number, HeldFinish>;
  readonly retained: RetainedBound;
};

/**
 * What was held back of the choices, now that the answer ends: names that nothing followed, and then the finishes.
 * Throws a Fault for a call without a name, which is not complete.
 */
export function releaseFinishes(memory: Held, call: ChatCall): StreamEvent[] {
  const released: StreamEvent[] = [];
  for (const [index, held] of memory.finishes) {
    const choice = memory.choices.get(index);
    if (choice !== undefined) releaseFinish(index, held, choice, memory, call, released);
  }
  memory.finishes.clear();
  return released;
}

function releaseFinish(
  index: number,
  { word, native, beside, head }: HeldFinish,
  memory: ChoiceMemory,
  { retained }: Held,
  call: ChatCall,
  released: StreamEvent[],
): void {
  const delta: JsonObject = {};
  releaseHeld(delta, memory);
  if (memory.tools.calls.some(({ name }) => !name.isKnown)) throw brokenOff();
  const said = (choice: JsonObject) =>
    released.push(
      eventOf({ index, delta: {}, logprobs: null, ...choice }, { head, call, retained }),
    );
  if (Object.keys(delta).length > 0) said({ delta: renameCalls(delta, call), finish_reason: null });
  const reason = translateFinishReason(word, memory.called);
  said({
    finish_reason: reason,
    ...(native !== reason && { native_finish_reason: native }),
    ...beside,
  });
  released.push({ kind: "finish", reason, native });
}
