// Which fields of a request change what the upstream charges beyond tokens at list price. A model
// without a price for them must refuse them, or the bill would be wrong.
import { isObject, type JsonObject } from "./check-value.ts";

type Test = (value: unknown) => boolean;

const given: Test = () => true;
const nonEmpty: Test = (value) => !Array.isArray(value) || value.length > 0;

/** Looked at only where the field is there and not null. */
const tests: ReadonlyMap<string, Test> = new Map<string, Test>(
  Object.entries({
    service_tier: (value: unknown) => value !== "auto" && value !== "default",
    web_search_options: given,
    search_parameters: (value: unknown) => !isObject(value) || value.mode !== "off",
    plugins: nonEmpty,
    audio: given,
    modalities: (value: unknown) => !Array.isArray(value) || value.some((kind) => kind !== "text"),
    // Rejected prediction tokens are billed on top of the output limit.
    prediction: given,
    // Another model would answer than the one whose price was agreed.
    models: nonEmpty,
    // Both produce more output than `max_tokens` × `n` says.
    best_of: (value: unknown) => value !== 1,
    n_predict: given,
  }),
);

const billedFields = [
  "model",
  "messages",
  "max_tokens",
  "max_completion_tokens",
  "n",
  "stream",
  "stream_options",
  ...tests.keys(),
];
const billedFieldOfFolded = new Map(billedFields.map((name) => [fold(name), name]));

/** Names of the price-changing fields of a checked request; `input_audio` stands for such parts. */
export function priceChangingFields(body: JsonObject, audioCount: number): readonly string[] {
  const names: string[] = [];
  for (const [name, value] of Object.entries(body)) {
    if (value !== null && tests.get(name)?.(value)) names.push(name);
  }
  if (audioCount > 0) names.push("input_audio");
  return names;
}

/**
 * The billed field that `key` would be taken for by an upstream that ignores case, as servers
 * written in Go do (`Max_Tokens`); undefined for a field's own name and for every other key.
 */
export function billedFieldLike(key: string): string | undefined {
  const name = billedFieldOfFolded.get(fold(key));
  return name === key ? undefined : name;
}

/** Upper case first: it also folds the long s and the Kelvin sign. */
function fold(key: string): string {
  return key.toUpperCase().toLowerCase();
}
