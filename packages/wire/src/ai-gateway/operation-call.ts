// What the calls of all models but language models have in common in the AI SDK's gateway protocol: the model is in a header, the
// options of providers are in one member, and the request of the operation's own protocol is made of the rest.
import { isObject, type JsonObject } from "@turnpike/base";
import { missing } from "../checks/body-fault.ts";
import { anyObject, isGiven } from "../checks/check-value.ts";
import { agentBounds } from "../json/edit-json-object.ts";
import { assertStorableText, parseJsonBody } from "../json/parse-json-body.ts";
import type { AnswerIdentity, Bill, ParsedRequest } from "../protocol/pivot.ts";
import { CallNotes, type CallWarning, presentWarnings, type Specification } from "./call-notes.ts";
import { translateGatewayOptions } from "./gateway-options.ts";
import { gatewayMetadata } from "./present-usage.ts";

/** What the headers of a call say. */
export type CallTarget = { readonly model: string; readonly specification: Specification };

export const modelHeader = "ai-model-id";

/** A request with what its answer goes without, and the caller's own names. */
export type Told<Request extends ParsedRequest> = Request & {
  readonly warnings: readonly CallWarning[];
  readonly callerParam: (param: string) => string;
};

/** How an operation's own names are made of those of a call. */
export type CallShape = {
  /** Members that keep their value, by their name in a request. */
  readonly renamed: Readonly<Record<string, string>>;
  /** Adds what is not only renamed, and returns the names that it read. */
  readonly translate?: (
    body: JsonObject,
    request: JsonObject,
    notes: CallNotes,
  ) => readonly string[];
  /** Options of providers that keep their value, by `provider.option`. */
  readonly options?: Readonly<Record<string, string>>;
};

/** A call in JSON, whose request `parse` reads. Throws the Fault that names the invalid member. */
export function parseCall<Request extends ParsedRequest>(
  raw: string,
  target: CallTarget,
  shape: CallShape,
  parse: (text: string) => Request,
): Told<Request> {
  const { parsed } = parseJsonBody(raw, agentBounds);
  assertStorableText(raw, parsed);
  const notes = new CallNotes();
  const request = translateCall(parsed, target, shape, notes);
  const read = notes.naming(request, () => parse(JSON.stringify(request)));
  return tellCaller(read, request, notes);
}

export function tellCaller<Request extends ParsedRequest>(
  request: Request,
  translation: JsonObject,
  notes: CallNotes,
): Told<Request> {
  const callerParam = (param: string) => notes.callerParam(param, translation);
  return { ...request, warnings: notes.warnings, callerParam };
}

/** The request in the operation's own words. */
export function translateCall(
  body: JsonObject,
  { model }: CallTarget,
  { renamed, translate, options = {} }: CallShape,
  notes: CallNotes,
): JsonObject {
  if (model === "") throw missing(modelHeader);
  const request: JsonObject = { model };
  notes.name("model", modelHeader);
  for (const [name, own] of Object.entries(renamed)) {
    const isNamed = request[own] !== undefined;
    if (isGiven(body[name])) request[own] = body[name];
    if (isGiven(body[name]) || !isNamed) notes.name(own, name);
  }
  const read = translate?.(body, request, notes) ?? [];
  translateGatewayOptions(body, request, notes);
  translateOptions(body, request, options, notes);
  const known = new Set([...Object.keys(renamed), ...read, "providerOptions", "headers"]);
  for (const name of Object.keys(body)) {
    if (!known.has(name) && isGiven(body[name])) notes.warn(name, "This option is not known here.");
  }
  return request;
}

function translateOptions(
  { providerOptions }: JsonObject,
  request: JsonObject,
  options: Readonly<Record<string, string>>,
  notes: CallNotes,
): void {
  for (const { provider, name, value } of optionsOf(providerOptions)) {
    const path = `providerOptions.${provider}.${name}`;
    const own = options[`${provider}.${name}`];
    if (own === undefined) notes.warn(path, "This option is not passed on.");
    else {
      request[own] = value;
      notes.name(own, path);
    }
  }
}

type Option = { readonly provider: string; readonly name: string; readonly value: unknown };

/** Throws the Fault of options that are no object: a text would be one option for each of its characters. */
function optionsOf(providerOptions: unknown): Option[] {
  if (!isObject(providerOptions)) return [];
  return Object.entries(providerOptions)
    .filter(([provider, options]) => provider !== "gateway" && isGiven(options))
    .flatMap(([provider, options]) => {
      anyObject(options, `providerOptions.${provider}`);
      const given = Object.entries(isObject(options) ? options : {});
      return given
        .filter(([, value]) => isGiven(value))
        .map(([name, value]) => ({ provider, name, value }));
    });
}

/** What every answer ends with. */
export function endOfAnswer(
  { warnings }: Told<ParsedRequest>,
  { specification }: CallTarget,
  identity: AnswerIdentity,
  bill: Bill | undefined,
): JsonObject {
  const providerMetadata = gatewayMetadata(identity, bill);
  // AI SDK 5 rejects an answer with images that has a warning of any other type, after it was paid for.
  const presented =
    specification === 2
      ? warnings.map(({ feature, details }) => ({
          type: "other",
          message: `${feature}: ${details}`,
        }))
      : presentWarnings(warnings, specification);
  return { warnings: presented, providerMetadata };
}
