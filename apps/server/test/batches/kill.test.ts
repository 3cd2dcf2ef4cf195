// A process that is killed in the middle of a batch loses no line, repeats none in the results, and charges none twice.
import { expect, setDefaultTimeout, test } from "bun:test";
import {
  awaitReaped,
  expectCleanBooks,
  openAccount,
  readCharges,
  useSpawnedServers,
} from "../harness/index.ts";
import { batchesEnvironment, batchesTimes, chatLine, useBatches } from "./use-batches.fixture.ts";

setDefaultTimeout(180_000);

const { site, start } = await useSpawnedServers({ environment: batchesEnvironment }, batchesTimes);

test.each([
  ["after a line was charged and before its answer was stored", "line-answered:1"],
  ["after several lines were charged", "line-answered:5"],
  ["before a charge was sent", "before-settle:2"],
  ["after a charge was durable", "settle-committed:2"],
])(
  "killed %s, a batch is finished by another process, each line charged once",
  async (_, failpoint) => {
    const account = await openAccount(site);
    const victim = await start(failpoint);
    let { baseUrl } = victim;
    const { create, readResults, awaitOver, makeDue } = useBatches(site, () => baseUrl);
    const names = Array.from({ length: 12 }, (_value, index) => `line ${index}`);
    const { id } = await create(account.key, names.map((name) => chatLine(name)).join("\n"));
    expect((await victim.exited).signal).toBe("SIGKILL");
    // As if the claims of the dead process were over.
    await makeDue(account.id);
    ({ baseUrl } = await start());
    const batch = await awaitOver(account.key, id);
    expect(batch).toMatchObject({
      status: "completed",
      request_counts: { total: 12, completed: 12, failed: 0 },
    });
    expect([...(await readResults(account.key, batch.output_file_id)).keys()]).toEqual(names);
    const charges = await readCharges(site, account);
    expect([charges.length, new Set(charges).size]).toEqual([12, 1]);
    await awaitReaped(site, victim, account.id);
    await expectCleanBooks(site);
  },
);
