// Values of a chat completion's fields that ask for what every provider does anyway: one without a counterpart
// for such a field has nothing to refuse.
import { isObject } from "@turnpike/base";
import { findServiceTier } from "./service-tier.ts";

type Test = (value: unknown) => boolean;

const isZero: Test = (value) => value === 0;
const isOne: Test = (value) => value === 1;
const isOff: Test = (value) => value === false;
const isEmpty: Test = (value) => typeof value === "object" && Object.keys(value ?? {}).length === 0;

/** A field that is null asks for nothing either. */
const neutral: ReadonlyMap<string, Test> = new Map<string, Test>([
  ["n", isOne],
  ["frequency_penalty", isZero],
  ["presence_penalty", isZero],
  ["repetition_penalty", isOne],
  ["min_p", isZero],
  ["top_a", isZero],
  ["top_k", isZero],
  ["logit_bias", isEmpty],
  ["logprobs", isOff],
  ["top_logprobs", isZero],
  ["stop", isEmpty],
  ["tools", isEmpty],
  ["functions", isEmpty],
  ["parallel_tool_calls", (value) => value === true],
  ["response_format", (value) => isObject(value) && value.type === "text"],
  ["modalities", (value) => Array.isArray(value) && value.every((kind) => kind === "text")],
  ["reasoning", (value) => isObject(value) && value.enabled === false],
  ["include_reasoning", isOff],
  ["reasoning_effort", (value) => value === "none"],
  ["thinking", (value) => isObject(value) && value.type === "disabled"],
  ["store", isOff],
  ["service_tier", (value) => findServiceTier(value) === undefined],
  ["transforms", isEmpty],
  ["plugins", isEmpty],
]);

export function asksForNothing(name: string, value: unknown): boolean {
  return value === null || value === undefined || neutral.get(name)?.(value) === true;
}
