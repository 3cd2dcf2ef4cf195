// A POST of JSON to an endpoint below `/v1`, for operations whose tests need no more.
import type { JsonObject } from "./ask-server.ts";
import type { TestServer } from "./start-test-server.ts";

export function postJson(
  server: Pick<TestServer, "baseUrl">,
  key: string,
  path: string,
  body: JsonObject | string,
  init: RequestInit = {},
): Promise<Response> {
  return fetch(`${server.baseUrl}${path}`, {
    method: "POST",
    ...init,
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      ...init.headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}
