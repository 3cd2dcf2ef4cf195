// Plain HTTP requests to the server, without an SDK in between: sends exactly what the test
// specifies and returns the answer byte for byte.
import type { Script } from "@turnpike/testing";
import type { TestServer } from "./start-test-server.ts";
import { testModels } from "./test-catalog.ts";

export type JsonObject = Record<string, unknown>;

/** A prompt that tells the scripted upstream what to do. */
export function scriptText(script: Script, text = "hello"): string {
  return `${text} #script ${JSON.stringify(script)}`;
}

/** The same as a user message. */
export function scripted(script: Script, text = "hello"): { role: "user"; content: string } {
  return { role: "user", content: scriptText(script, text) };
}

/**
 * Scripts the next answers, one call after the other, regardless of the prompts; then the default
 * answer.
 */
export function answerWith(
  { upstream }: Pick<TestServer, "upstream">,
  ...answers: readonly Script[]
): void {
  const next = answers.values();
  upstream.script(() => next.next().value);
}

/** A chat request for `test/cheap`; `fields` are added to these or replace them. */
export function chatBody(script: Script, fields: JsonObject = {}): JsonObject {
  return { model: testModels.cheap, messages: [scripted(script)], ...fields };
}

export type PostOptions = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
};

/** POST /v1/chat/completions; a string body is sent unchanged. */
export function postChat(
  server: Pick<TestServer, "baseUrl">,
  key: string | undefined,
  body: JsonObject | string,
  options: PostOptions = {},
): Promise<Response> {
  return fetch(`${server.baseUrl}/chat/completions`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...options.headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...(options.signal && { signal: options.signal }),
  });
}

/** GET under `/v1`, with a key. */
export function getPath(
  server: Pick<TestServer, "baseUrl">,
  key: string | undefined,
  path: string,
): Promise<Response> {
  return fetch(`${server.baseUrl}${path}`, {
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
  });
}

export async function readJson(response: Response): Promise<JsonObject> {
  return asObject(await response.json());
}

/** Fails the test unless it is an object. */
export function asObject(value: unknown): JsonObject {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return Object.fromEntries(Object.entries(value));
  }
  throw new Error(`expected an object, got ${JSON.stringify(value)}`);
}

/** The value at a path such as `choices.0.delta.content`; undefined if it is absent. */
export function at(value: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((inner, key) => {
    return typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined;
  }, value);
}
