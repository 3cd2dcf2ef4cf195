// An answered call, with everything that tests of bills check.
import { expect } from "bun:test";
import type { TestServer } from "../harness/index.ts";
import { type Asking, askChat, type Received } from "./ask-chat.ts";
import { type Leaving, scriptedBody } from "./leave-in-the-middle.ts";
import { awaitRequest, type RequestRow } from "./read-requests.ts";

export type Billed = {
  readonly received: Received;
  readonly row: RequestRow;
  /** The body that the upstream got. */
  readonly sent: unknown;
};

let calls = 0;

/** Requests at most 60 tokens unless `fields` say otherwise; fails unless it is answered with 200. */
export async function askBilled(
  server: TestServer,
  asking: Omit<Leaving, "name"> & Pick<Asking, "onText">,
): Promise<Billed> {
  calls += 1;
  const name = `billed-${calls}`;
  const { key, onText } = asking;
  const body = { max_tokens: 60, ...scriptedBody({ ...asking, name }) };
  const received = await askChat(server, { key, name, body, ...(onText && { onText }) });
  expect([received.status, received.text]).toEqual([200, expect.any(String)]);
  const row = await awaitRequest(server, name);
  const sent = server.upstream.requests.find((request) => request.tag === name)?.parsed;
  return { received, row, sent };
}
