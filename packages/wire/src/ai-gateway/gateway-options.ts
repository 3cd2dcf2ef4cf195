// `providerOptions.gateway` of the AI SDK: where a call may go and whose it is, in the words of OpenRouter's `provider` object
// that all other protocols have. A member that promises something is honored or refused; one that only labels is named in a warning.
import { isObject, type JsonObject } from "@turnpike/base";
import { unsupported } from "../checks/body-fault.ts";
import { anyObject, isGiven, oneOf } from "../checks/check-value.ts";
import type { CallNotes } from "./call-notes.ts";

const path = "providerOptions.gateway";

/** Members that keep their value, by their name in a request. */
const ofRequest: Readonly<Record<string, string>> = {
  models: "models",
  user: "user",
  serviceTier: "service_tier",
  maxCost: "max_cost",
};

const sorts: ReadonlyMap<string, string> = new Map([
  ["cost", "price"],
  ["tps", "throughput"],
  ["ttft", "latency"],
]);
const sort = oneOf([...sorts.keys()]);

/** What the caller would rely on, and cannot be known of any route. */
const promises = ["byok", "has", "headquarters", "providerTimeouts", "quotaEntityId"];
const labels = ["tags", "caching", "idempotencyKey"];

/** Adds what the options ask for to `request`. Throws the Fault of a member that cannot be honored. */
export function translateGatewayOptions(
  { providerOptions }: JsonObject,
  request: JsonObject,
  notes: CallNotes,
): void {
  if (!isGiven(providerOptions)) return;
  anyObject(providerOptions, "providerOptions");
  const options = isObject(providerOptions) ? providerOptions.gateway : undefined;
  if (!isGiven(options)) return;
  anyObject(options, path);
  const provider: JsonObject = {};
  for (const [name, value] of Object.entries(isObject(options) ? options : {})) {
    if (!isGiven(value)) continue;
    const place = `${path}.${name}`;
    const own = Object.hasOwn(ofRequest, name) ? ofRequest[name] : undefined;
    if (own !== undefined) {
      request[own] = value;
      notes.name(own, place);
    } else if (!translatePreference(name, value, provider, notes)) {
      if (promises.includes(name)) throw unsupported(place, "This gateway cannot honor it.");
      const known = labels.includes(name) ? "has no meaning here" : "is not known here";
      notes.warn(place, `The option '${name}' ${known}.`);
    }
  }
  if (Object.keys(provider).length === 0) return;
  request.provider = provider;
  notes.name("provider", path);
}

/** Whether it is one of those that say where a call may go. */
function translatePreference(
  name: string,
  value: unknown,
  provider: JsonObject,
  notes: CallNotes,
): boolean {
  const place = `${path}.${name}`;
  switch (name) {
    case "order":
    case "only":
      provider[name] = value;
      return true;
    case "sort":
      sort(value, place);
      provider.sort = sorts.get(String(value));
      return true;
    case "zeroDataRetention":
      provider.zdr = value;
      notes.name("provider.zdr", place);
      return true;
    case "disallowPromptTraining":
      if (value === true) provider.data_collection = "deny";
      notes.name("provider.data_collection", place);
      return true;
    default:
      return false;
  }
}
