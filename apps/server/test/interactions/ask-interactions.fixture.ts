// Requests to the Interactions API as Google's clients send them, and the events of its streams.
import type { Script } from "@turnpike/testing";
import { postGemini } from "../gemini/ask-gemini.fixture.ts";
import {
  asObject,
  type JsonObject,
  scriptText,
  type TestAccount,
  type TestServer,
} from "../harness/index.ts";

export type PostInteraction = (
  body: object | string,
  headers?: Readonly<Record<string, string>>,
) => Promise<Response>;

export function postInteraction(
  server: Pick<TestServer, "url">,
  account: Pick<TestAccount, "key">,
): PostInteraction {
  const post = postGemini(server, account);
  return (body, headers) => post("/v1beta/interactions", body, headers);
}

/** A body whose prompt tells the scripted upstream what to do. */
export function asking(model: string, script: Script, fields: JsonObject = {}): JsonObject {
  return { model, input: scriptText(script), ...fields };
}

/** The events of a stream that arrived whole: `event:` is their type, and the marker of the end comes last. */
export function eventsOf(text: string): JsonObject[] {
  const blocks = text.trimEnd().split("\n\n");
  if (blocks.pop() !== "data: [DONE]") throw new Error("the stream has no end");
  return blocks.map(eventOf);
}

export function eventOf(block: string): JsonObject {
  const [, type, json = ""] = /^event: (\S+)\ndata: (.*)$/.exec(block) ?? [];
  const event = asObject(JSON.parse(json));
  if (event.event_type !== type) throw new Error(`an event is not named by its type: ${block}`);
  return event;
}
