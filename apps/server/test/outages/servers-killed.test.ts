// kill -9 at random moments of whole servers under load: every complete answer was billed, and what the
// calls of the dead had reserved is returned. The ledger alone is killed more often, in packages/ledger.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { spawnServer } from "@turnpike/testing";
import { openAccount, openTestSite, type TestSite } from "../harness/index.ts";
import { expectBilledOnce, startCalls } from "./start-calls.ts";

setDefaultTimeout(180_000);

const rounds = 2;
const victimsPerRound = 3;
const liveMaxMs = 500;

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
});
afterAll(() => site?.close());

test(`T3: ${rounds * victimsPerRound} servers killed at random moments under load`, async () => {
  const account = await openAccount(site);
  const answered: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const victims = await Promise.all(
      Array.from({ length: victimsPerRound }, () => spawnServer(site.environment)),
    );
    const killed = victims.map(async (victim, nth) => {
      const calls = startCalls(victim, account, `round ${round}, server ${nth}`);
      await calls.awaitAnswers();
      await Bun.sleep(Math.random() * liveMaxMs);
      await victim.kill("SIGKILL");
      answered.push(...(await calls.end()).answered);
    });
    await Promise.all(killed);
  }
  const survivor = await spawnServer(site.environment, {
    times: { heartbeatMs: 200, heartbeatLapseMs: 800, silentMs: 1_000, reapEveryMs: 200 },
  });
  try {
    await expectBilledOnce(site, account, answered);
  } finally {
    expect(await survivor.kill("SIGTERM")).toMatchObject({ code: 0 });
  }
});
