// A call of `/v1/responses` with plain HTTP: sends exactly what the test specifies, and returns the events
// with the names of their frames.
import type { Script } from "@turnpike/testing";
import {
  asObject,
  type JsonObject,
  type TestServer,
  testModels,
  withoutComments,
} from "../harness/index.ts";

export type ResponseCall = {
  readonly body: JsonObject | string;
  /** Sent as the user agent, by which the row of the call is found. */
  readonly name?: string;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
};

/** A request for `test/cheap` that tells the scripted upstream what to do. */
export function responseBody(script: Script, fields: JsonObject = {}): JsonObject {
  const input = `hello #script ${JSON.stringify(script)}`;
  return { model: testModels.cheap, input, ...fields };
}

export function postResponse(
  server: Pick<TestServer, "baseUrl">,
  key: string | undefined,
  { body, name, signal, headers }: ResponseCall,
): Promise<Response> {
  return fetch(`${server.baseUrl}/responses`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(name !== undefined && { "user-agent": name }),
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...(signal && { signal }),
  });
}

/** The events of a stream; throws for a frame whose name is not its type. */
export function parseNamedEvents(text: string): JsonObject[] {
  const frames = withoutComments(text)
    .split("\n\n")
    .filter((frame) => frame !== "");
  return frames.map((frame) => {
    const [name = "", data = "", ...rest] = frame.split("\n");
    const event = asObject(JSON.parse(data.replace(/^data: /, "")));
    if (name !== `event: ${String(event.type)}` || rest.length > 0) {
      throw new Error(`not a frame of a response: ${frame.slice(0, 200)}`);
    }
    return event;
  });
}
