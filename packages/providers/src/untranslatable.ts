// The refusal of a field that cannot be sent to the provider of a model.
import { Fault } from "@turnpike/base";

/** `problem` says why, as the rest of a message. */
export function untranslatable(param: string, problem: string): Fault {
  const sentence = `Unsupported parameter: '${param}' cannot be used with this model: ${problem}.`;
  return new Fault("unsupported_parameter", sentence, { param });
}
