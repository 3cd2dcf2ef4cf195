// The refusal of a field that cannot be sent to the provider of a model.
import { Fault } from "@turnpike/base";
import { type ChatRequest, messagesLanguage } from "@turnpike/wire";

/** `problem` says why, as the rest of a message. */
export function untranslatable(param: string, problem: string): Fault {
  const sentence = `Unsupported parameter: '${param}' cannot be used with this model: ${problem}.`;
  return new Fault("unsupported_parameter", sentence, { param });
}

/** The Fault of a request with more than `most` stop sequences, by the name its caller gave them. */
export function findExcessStops(
  { parsed, language }: ChatRequest,
  most: number,
): Fault | undefined {
  if (!Array.isArray(parsed.stop) || parsed.stop.length <= most) return undefined;
  const param = language === messagesLanguage ? "stop_sequences" : "stop";
  return untranslatable(param, `its provider takes at most ${most} of them`);
}
