// The refusals of a request that continues what is not there: of somebody else, expired, deleted, or never stored.
import { Fault } from "@turnpike/base";
import type { MemoryLanguage } from "@turnpike/wire";

type Named = Pick<MemoryLanguage, "previousParam">;

export function noPrevious({ previousParam }: Named): Fault {
  return missing(
    previousParam,
    previousParam === "previous_response_id"
      ? "No stored response of the project of this key has the id in 'previous_response_id'. Responses are stored with 'store: true', and expire; send the items of the conversation in 'input' instead."
      : "No stored interaction of the project of this key has the id in 'previous_interaction_id'. Interactions are stored with 'store: true', and expire; send the steps of the conversation in 'input' instead.",
  );
}

export function brokenChain({ previousParam }: Named): Fault {
  return missing(
    previousParam,
    previousParam === "previous_response_id"
      ? "A response that the one in 'previous_response_id' continues was deleted, so the conversation is no longer known. Send its items in 'input' instead."
      : "An interaction that the one in 'previous_interaction_id' continues was deleted, so the conversation is no longer known. Send its steps in 'input' instead.",
  );
}

/** OpenAI has a code of its own for it, Google the status of everything that is not there. */
function missing(param: Named["previousParam"], sentence: string): Fault {
  const code = param === "previous_response_id" ? "previous_response_not_found" : "not_found";
  return new Fault(code, sentence, { param });
}
