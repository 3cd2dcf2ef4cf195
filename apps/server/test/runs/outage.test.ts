// A run whose database is away for a while: its answer goes on, and what it wrote meanwhile is stored once it is back, each event once.
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { spawnServer, startTcpProxy } from "@turnpike/testing";
import {
  expectCleanBooks,
  openAccount,
  openTestSite,
  patientTimes,
  readCharges,
} from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";
import { parseNamedEvents } from "../responses/post-responses.ts";
import { runsEnvironment, useRuns } from "./use-runs.fixture.ts";

setDefaultTimeout(180_000);

const site = await openTestSite({ environment: runsEnvironment });
afterAll(() => site.close());

test("no event is lost or repeated while the database is away", async () => {
  const target = new URL(site.database.url);
  const proxy = await startTcpProxy({ host: target.hostname, port: Number(target.port) });
  target.port = String(proxy.port);
  const server = await spawnServer(
    { ...site.environment, DATABASE_URL: target.href },
    {
      times: patientTimes,
    },
  );
  try {
    const account = await openAccount(site);
    const { key } = account;
    const runs = useRuns(site, () => server.baseUrl);
    const script = { tag: "in an outage", gate: true, deltas: 60, paceMs: 10 };
    const { id } = await runs.create(script, key);
    await eventually("it to write", async () => (await runs.countRows(account)).events > 1);
    const begun = Promise.withResolvers<void>();
    const reading = readFrom(await runs.ask(`/responses/${id}?stream=true`, key), begun.resolve);
    await begun.promise;
    proxy.refuse();
    proxy.cut();
    await eventually("the answer to go on without it", async () => {
      return site.upstream.delivered("in an outage").tokens === 60;
    });
    await proxy.accept();
    site.upstream.open("in an outage");
    let text = "";
    await eventually("the end", async () => {
      text = await runs.readStream(id, key).catch(() => "");
      return text.includes("response.completed");
    });
    // A reader that was there all the while has missed nothing, either.
    expect(await reading).toBe(text);
    const events = parseNamedEvents(text);
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, i) => i));
    expect(JSON.stringify(events.at(-1))).toContain(" tok".repeat(60));
    expect(await readCharges(site, account)).toHaveLength(1);
    await expectCleanBooks(site);
  } finally {
    await server.kill();
    await proxy.close();
  }
});

/** The text of a stream; `onBegun` is called when some of it is there. */
async function readFrom(answer: Response, onBegun: () => void): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of answer.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    onBegun();
  }
  return text.replaceAll(": keep-alive\n", "");
}
