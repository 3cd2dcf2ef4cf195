// Calls of the AI SDK's gateway protocol as its provider sends them.
import type { Script } from "@turnpike/testing";
import {
  type JsonObject,
  scriptText,
  type TestAccount,
  type TestServer,
  testModels,
} from "../harness/index.ts";

type Headers = Readonly<Record<string, string>>;
export type Post = (path: string, body: unknown, headers?: Headers) => Promise<Response>;

/** Posts behind `/v4/ai/` with the key of `account`; a text is sent unchanged. */
export function postAiGateway(
  { url }: Pick<TestServer, "url">,
  { key }: Pick<TestAccount, "key">,
): Post {
  return (path, body, headers = {}) =>
    fetch(`${url}/v4/ai/${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${key}`,
        "ai-gateway-protocol-version": "0.0.1",
        ...headers,
      },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
}

/** The headers of a language model call. */
export function calling(model: string = testModels.cheap, fields: Headers = {}): Headers {
  return {
    "ai-language-model-id": model,
    "ai-language-model-specification-version": "4",
    "ai-language-model-streaming": "false",
    ...fields,
  };
}

export const streaming: Headers = { "ai-language-model-streaming": "true" };

/** A body whose prompt tells the scripted upstream what to do. */
export function asking(script: Script, fields: JsonObject = {}): JsonObject {
  const content = [{ type: "text", text: scriptText(script) }];
  return { prompt: [{ role: "user", content }], ...fields };
}
