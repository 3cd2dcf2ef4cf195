// What docs/request-fields.md says of a field in each API, from the functions that decide it there.
import { Fault } from "@turnpike/base";
import type { Rule } from "../checks/check-value.ts";
import { type Api, apis, languageOf } from "../protocol/languages.ts";
import { refusalsOf } from "./check-fields.ts";
import { isListedField, isPreference } from "./known-fields.ts";
import { anyValue, type NamingApi, type RequestField, type Test } from "./request-field.ts";

/** `neutral`: accepted with a value that asks for nothing. `unknown`: for providers that are sent unknown fields. */
export type Outcome = "accepted" | "priced" | "neutral" | "refused" | "unknown";

const refusals = new Map(apis.map((api) => [api, refusalsOf(api)]));

export function outcomeIn(api: Api, name: string, field: RequestField): Outcome {
  // The parser compares the list with `model`.
  if (api === "embeddings" && name === "models") return "neutral";
  const refused = refusals.get(api)?.get(name);
  if (refused !== undefined) return refused.unless === undefined ? "refused" : "neutral";
  const check = field.of[api]?.check;
  if (check !== undefined && refusesByName(check, name)) return "refused";
  if (!isTaken(api, name, field)) return "unknown";
  const price = priceIn(api, field);
  if (price === undefined) return "accepted";
  if (field.listed !== undefined && api !== "embeddings") return "priced";
  return price === anyValue ? "refused" : "neutral";
}

/** Whether a rule refuses the field itself and not its values. */
function refusesByName(check: Rule, name: string): boolean {
  try {
    check({}, name);
  } catch (thrown) {
    return thrown instanceof Fault && thrown.code === "unsupported_parameter";
  }
  return false;
}

function isTaken(api: Api, name: string, { of }: RequestField): boolean {
  if (isPreference(name) || of[api] !== undefined) return true;
  // A completion is checked as the chat completion it becomes.
  return isListedField(languageOf[api === "completions" ? "chat" : api], name);
}

/** The test of the values that change the price. What a translation drops does not reach that of a chat completion. */
function priceIn(api: Api, { of, price }: RequestField): Test | undefined {
  const own = of[api];
  return own?.price ?? (own?.inChat === undefined ? price : undefined);
}

const words: Readonly<Record<Exclude<Outcome, "accepted">, string>> = {
  priced: "with a price",
  neutral: "if it asks for nothing",
  refused: "refused",
  unknown: "–",
};

export function apiCell(api: Api, name: string, field: RequestField): string {
  const outcome = outcomeIn(api, name, field);
  if (outcome === "accepted") return acceptedAs(field.of[api]);
  const other = isNaming(api) ? field.names?.[api] : undefined;
  if (other !== undefined && outcome !== "neutral") return `as \`${other}\``;
  return words[outcome];
}

function isNaming(api: Api): api is NamingApi {
  return api === "responses" || api === "messages" || api === "gemini";
}

function acceptedAs(own: RequestField["of"][Api]): string {
  if (own?.inChat !== undefined) return own.inChat === "nothing" ? "dropped" : "translated";
  return own?.isForeign ? "accepted (services)" : "accepted";
}

/** What a cell says happens to the field of that name. */
export function outcomeOfCell(cell: string): Outcome {
  const found = (Object.keys(words) as (keyof typeof words)[]).find((key) => words[key] === cell);
  if (found !== undefined) return found;
  return cell.startsWith("as `") ? "refused" : "accepted";
}
