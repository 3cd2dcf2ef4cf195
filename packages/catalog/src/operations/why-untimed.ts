// Captions and times of words are made of the times that a model knows: of one that knows none they would be paid for and empty, so
// that they are refused before anything is held.
import { Fault } from "@turnpike/base";
import { fieldOfTimes, supportedParameters } from "@turnpike/wire";
import { priceOfRoute } from "../find-model.ts";
import type { ModelRequest, Route } from "../model.ts";

type TranscriptionCall = Extract<ModelRequest, { operation: "transcription" }>;

/** The Fault for a transcript that needs times, at a route that has none. */
export function whyUntimed({ model, request }: TranscriptionCall, route: Route): Fault | undefined {
  const param = fieldOfTimes(request);
  if (param === undefined) return undefined;
  const price = priceOfRoute(model, route);
  const parameters = route.parameters ?? supportedParameters({ ...model, price });
  if (parameters.includes("timestamp_granularities")) return undefined;
  const asked = param === "response_format" ? `'${request.format}'` : "times of words or segments";
  return new Fault(
    "unsupported_value",
    `\`${model.id}\` does not know when something is said, which ${asked} would need. Ask for \`response_format\` json or text.`,
    { param },
  );
}
