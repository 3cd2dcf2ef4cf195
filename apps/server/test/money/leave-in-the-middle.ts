// A client that disconnects from a call which then continues without it: it disconnects when the test
// decides, and the upstream waits at its gate until the gateway has noticed.
import type { Script, UpstreamRequest } from "@turnpike/testing";
import { type JsonObject, scripted, type TestServer } from "../harness/index.ts";
import { askChat } from "./ask-chat.ts";
import { awaitRequest, eventually, type RequestRow } from "./read-requests.ts";

export type Leaving = {
  /** Also the tag of the upstream's script. */
  readonly name: string;
  readonly key: string;
  readonly model: string;
  /** How the upstream continues once its client has disconnected. */
  readonly script?: Script;
  readonly fields?: JsonObject;
  /** Parts of the user message in addition to its text. */
  readonly parts?: readonly JsonObject[];
};

export type Left = { readonly sent: UpstreamRequest; readonly row: RequestRow };

/** The request of a client whose upstream answers as scripted. */
export function scriptedBody({ name, model, script, fields, parts }: Omit<Leaving, "key">) {
  const message = scripted({ tag: name, ...script });
  const content = parts && [{ type: "text", text: message.content }, ...parts];
  return { model, messages: [{ ...message, ...(content && { content }) }], ...fields };
}

/**
 * Sends a call and disconnects: from a stream when its first token arrived, from a whole answer when the
 * upstream has the request. Resolves when the call runs in the background, held at its gate.
 */
export async function leaveBehind(server: TestServer, leaving: Leaving): Promise<UpstreamRequest> {
  const { name, key, fields } = leaving;
  const { background } = server.services.gateway;
  const before = background.running;
  const controller = new AbortController();
  const asked = askChat(server, {
    key,
    name,
    body: scriptedBody({ ...leaving, script: { gate: true, ...leaving.script } }),
    signal: controller.signal,
    onText: (text) => {
      if (text.includes('" tok"')) controller.abort();
    },
  });
  const sent = await server.upstream.waitFor((request) => request.tag === name);
  if (fields?.stream !== true) controller.abort();
  await asked;
  await eventually("the call to run in the background", async () => background.running > before);
  return sent;
}

/** The same, and then the upstream continues; resolves with its bill. */
export async function leaveInTheMiddle(server: TestServer, leaving: Leaving): Promise<Left> {
  const sent = await leaveBehind(server, leaving);
  server.upstream.open(leaving.name);
  return { sent, row: await awaitRequest(server, leaving.name) };
}
