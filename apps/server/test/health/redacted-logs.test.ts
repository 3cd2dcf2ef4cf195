// The log of a real process, at its most verbose level, contains neither a caller's key nor a provider's,
// wherever they were sent.
import { afterAll, expect, test } from "bun:test";
import { spawnServer } from "@turnpike/testing";
import {
  chatBody,
  getPath,
  openAccount,
  openTestSite,
  postChat,
  providerKey,
} from "../harness/index.ts";

const site = await openTestSite({ environment: { LOG_LEVEL: "trace", DRAIN_NOTICE_MS: "0" } });
const server = await spawnServer(site.environment);
afterAll(async () => {
  await server.kill();
  await site.close();
});

test("no API key or provider key reaches the log", async () => {
  const account = await openAccount(site);
  const { key } = account;
  const echo = { status: 400, error: `Wrong key: ${providerKey}` };
  const answers = [
    await postChat(server, key, chatBody({ deltas: 1 })),
    await postChat(server, key, chatBody(echo)),
    await postChat(server, key, chatBody({ ...echo, status: 500 })),
    await postChat(server, key, chatBody({ deltas: 3, cutAfterDeltas: 1 }, { stream: true })),
    await postChat(server, `${key}x`, chatBody({ deltas: 1 })),
    await postChat(server, key, chatBody({}, { model: key, user: key })),
    await getPath(server, key, `/generation?id=${key}`),
    await getPath(server, key, `/${key}`),
    await getPath(server, key, `/models/${key}`),
  ];
  for (const answer of answers) expect(await answer.text()).not.toContain(providerKey);
  await server.kill("SIGINT");
  const output = server.output();
  expect(output).toContain('"msg":"listening"');
  expect(output).not.toContain(key);
  expect(output).not.toContain(providerKey);
  expect(output).not.toContain(new URL(site.environment.DATABASE_URL ?? "").password);
});
