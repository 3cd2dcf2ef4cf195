// Reading what is stored is free, so it is bounded by memory: nothing is read for an account whose requests take all that it may have.
import { afterEach, expect, test } from "bun:test";
import { noLimits } from "@turnpike/keys";
import {
  expectCleanBooks,
  expectFault,
  readJson,
  startTestServer,
  useServer,
} from "../harness/index.ts";
import { useInteractions } from "./use-interactions.fixture.ts";
import { storedEnvironment, user, useStored } from "./use-stored.fixture.ts";

const { server, account } = await useServer(
  startTestServer({ environment: { ...storedEnvironment, BODY_MEMORY_MIB: "512" } }),
);
const { ask, post, say } = useStored(server, account);
const interactions = useInteractions(server, account);
const { limiter } = server.services.gateway;
afterEach(async () => {
  expect(limiter.bodyBytes).toBe(0);
  await expectCleanBooks(server);
});

/** An account has half of the memory, and a body counts three times. */
const roomBytes = Math.floor((256 * 1024 * 1024) / 3);

function takeRoom(bytes: number) {
  const caller = { accountId: account.id, keyId: null, limits: noLimits };
  return limiter.reserveSlot(caller, bytes);
}

const tooFast = { status: 429, type: "requests", code: "rate_limit_exceeded" };

test("what is stored is read while its account has room for it, and the room is given back", async () => {
  const response = await say("one", { input: "1" });
  const conversation = await readJson(await post("/conversations", { items: [user("a")] }));
  const items = `/conversations/${conversation.id}/items`;
  const item = `${items}/${(await readJson(await ask(items))).first_id}`;
  const stored = `/responses/${response.id}`;
  const reads = [stored, `${stored}/input_items`, items, item];
  const interaction = `/interactions/${(await interactions.say("one", { input: "1" })).id}`;
  const taken = takeRoom(roomBytes);
  expect((await ask(interaction)).status).toBe(429);
  for (const path of reads) {
    await expectFault(await ask(path), tooFast);
  }
  await expectFault(await ask(item, { method: "DELETE" }), tooFast);
  expect((await ask(`${stored}/cancel`, { method: "POST" })).status).toBe(400);
  taken.release();
  for (const path of [...reads, interaction, ...reads]) expect((await ask(path)).status).toBe(200);
});
