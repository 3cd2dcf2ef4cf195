// OpenRouter's SDK without its types: they extend the global `ReadableStream` in a way that contradicts Bun's.
import type { TestServer } from "../harness/index.ts";

type Send<Name extends string> = {
  send(request: Readonly<Record<Name, object>>): Promise<unknown>;
};

/** The members that the tests use. */
export type OpenRouterClient = {
  readonly chat: Send<"chatRequest">;
  readonly beta: { readonly responses: Send<"responsesRequest"> };
  readonly generations: { getGeneration(request: { readonly id: string }): Promise<unknown> };
  readonly models: { list(): Promise<unknown>; count(): Promise<unknown> };
  readonly providers: { list(): Promise<unknown> };
  readonly endpoints: { list(model: { author: string; slug: string }): Promise<unknown> };
  readonly apiKeys: {
    getCurrentKeyMetadata(): Promise<unknown>;
    list(request: object): Promise<unknown>;
    create(request: { readonly requestBody: object }): Promise<unknown>;
    get(request: { readonly hash: string }): Promise<unknown>;
    update(request: { readonly hash: string; readonly requestBody: object }): Promise<unknown>;
    delete(request: { readonly hash: string }): Promise<unknown>;
  };
  readonly credits: { getCredits(): Promise<unknown> };
  callModel(request: object): { getText(): Promise<string> };
};

type Sdk = { readonly OpenRouter: new (options: object) => OpenRouterClient };
type ErrorClass = new (...args: never[]) => Error;

/** The package has these members, by its own types. */
function asSdk(loaded: unknown): Sdk {
  return loaded as Sdk;
}

/** Each export of the package's errors is a class. */
function asClasses(loaded: unknown): Readonly<Record<string, ErrorClass>> {
  return loaded as Readonly<Record<string, ErrorClass>>;
}

const { OpenRouter } = asSdk(await import(import.meta.resolve("@openrouter/sdk")));
export const openrouterErrors = asClasses(
  await import(import.meta.resolve("@openrouter/sdk/models/errors")),
);

/** It does not retry by itself. */
export function openOpenRouter({ baseUrl }: TestServer, apiKey: string): OpenRouterClient {
  return new OpenRouter({ apiKey, serverURL: baseUrl, retryConfig: { strategy: "none" } });
}

/** With `stream: true` the SDK answers with a stream of events. */
export function asEvents(answer: unknown): AsyncIterable<unknown> {
  return answer as AsyncIterable<unknown>;
}
