// Which fields are known, to which API, and how each is treated. A field that is not known could refer to something
// that belongs to the operator's account (Azure's `data_sources` names search indexes), so it is sent only to providers
// whose entry of the catalog says `unknownFields: passed`.
import { type Api, apis, completionsLanguage, languageOf } from "../protocol/languages.ts";
import { columnOf, fieldTables, namesWhere } from "./field-table.ts";
import type { ApiField, DialectName, NamingApi, RequestField } from "./request-field.ts";

/** One without them still answers what was asked; every other field changes meaning, content, safety or price. */
export const preferenceNames: readonly string[] = namesWhere(({ rule }) => rule === "preference");

const preferences: ReadonlySet<string> = new Set(preferenceNames);

export function isPreference(name: string): boolean {
  return preferences.has(name);
}

const neutral = columnOf(({ asksForNothing: test }) => test);

/** Whether a value asks for what every provider does anyway: one without such a field has nothing to refuse. */
export function asksForNothing(name: string, value: unknown): boolean {
  return value === null || value === undefined || neutral.get(name)?.(value) === true;
}

/** Those for gateways: read here, and sent to no provider that would obey or reject them. */
export const gatewayFieldNames: readonly string[] = namesWhere(({ rule }) => rule === "ours");

/** Those of them that other gateways obey, too. */
export const sharedGatewayFieldNames: readonly string[] = namesWhere(
  ({ isOfGateways }) => isOfGateways === true,
);

function isKnownIn({ of, rule, price }: RequestField, api: Api): boolean {
  if (of[api] !== undefined || rule === "ours") return true;
  // Fields of chat completions keep their names where a response is translated.
  if (api === "responses") return of.chat !== undefined || price !== undefined;
  return api !== "messages" && api !== "gemini" && api !== "interactions" && price !== undefined;
}

function isItsOwn(of: ApiField | undefined): boolean {
  return (
    of !== undefined &&
    of.isForeign !== true &&
    (of.refused === undefined || of.check !== undefined)
  );
}

function namesByLanguage(
  passes: (field: RequestField, api: Api) => boolean,
): ReadonlyMap<string, ReadonlySet<string>> {
  // Those of completions are checked as the chat completion they become.
  const checked = apis.filter((api) => languageOf[api] !== completionsLanguage);
  return new Map(
    checked.map((api) => [languageOf[api], new Set(namesWhere((field) => passes(field, api)))]),
  );
}

const known = namesByLanguage(isKnownIn);
const documented = namesByLanguage(({ of }, api) => isItsOwn(of[api]));

/** The fields of requests in a language that are known; undefined for the language of an upstream alone. */
export function knownFieldsOf(language: string): ReadonlySet<string> | undefined {
  return known.get(language);
}

export function isListedField(language: string, name: string): boolean {
  return known.get(language)?.has(name) === true;
}

/** Whether a field is sent to a service of this language that takes only known fields: those of its API's author. */
export function isDocumentedField(language: string, name: string): boolean {
  return documented.get(language)?.has(name) === true;
}

/** The fields that the API of its author has, whether or not they are honored. */
export function ownFieldsOf(api: Api): ReadonlySet<string> {
  return new Set(namesWhere(({ of }) => isItsOwn(of[api]) || of[api]?.inChat !== undefined));
}

/** Those that keep neither name nor meaning in the chat completion that a request is translated to. */
export function rewrittenFieldsOf(api: Api): ReadonlySet<string> {
  return new Set(namesWhere(({ of }) => of[api]?.inChat !== undefined));
}

/** What an API calls fields of a chat completion. */
export function namesIn(api: NamingApi): ReadonlyMap<string, string> {
  return columnOf(({ names }) => names?.[api]);
}

const carried = new Map<DialectName, ReadonlySet<string>>();

/** Whether an upstream's API has a counterpart for a field, or never sees it because it is read here. */
export function isCarried(dialect: DialectName, name: string): boolean {
  let names = carried.get(dialect);
  if (names === undefined) {
    names = new Set(namesWhere(({ rule, to }) => rule === "ours" || to?.[dialect] !== undefined));
    carried.set(dialect, names);
  }
  return names.has(name);
}

/** The fields that differ there in nothing but their name. */
export function renamedFor(dialect: DialectName): ReadonlyMap<string, string> {
  return columnOf(({ to }) => {
    const name = to?.[dialect];
    return typeof name === "string" ? name : undefined;
  });
}

/** Fields of OpenAI's that clients send by default and that others refuse as unknown. */
export const openaiHints: readonly string[] = namesWhere(
  ({ isOpenaisHint }) => isOpenaisHint === true,
);

/** What OpenAI refuses if it is longer, with its most characters. */
export const openaiIdentifiers = columnOf(({ openaiMaxChars }) => openaiMaxChars);

/** The fields that say how tokens are chosen. */
export const samplingNames: readonly string[] = Object.keys(fieldTables.sampling);
