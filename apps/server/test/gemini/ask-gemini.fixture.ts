// Requests to Gemini's API as a client of it sends them.
import type { Script } from "@turnpike/testing";
import {
  type JsonObject,
  scriptText,
  type TestAccount,
  type TestServer,
} from "../harness/index.ts";

export type PostGemini = (
  path: string,
  body: object | string,
  headers?: Readonly<Record<string, string>>,
) => Promise<Response>;

/** Posts to a path with the key of `account`; a string body is sent unchanged. */
export function postGemini(
  { url }: Pick<TestServer, "url">,
  { key }: Pick<TestAccount, "key">,
): PostGemini {
  return (path, body, headers = { "x-goog-api-key": key }) =>
    fetch(`${url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
}

/** A body whose prompt tells the scripted upstream what to do. */
export function asking(script: Script, fields: JsonObject = {}): JsonObject {
  return { contents: [{ role: "user", parts: [{ text: scriptText(script) }] }], ...fields };
}
