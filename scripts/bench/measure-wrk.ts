// One row measured by two load generators, ours and wrk, so that readers need not trust ours. wrk
// drops its connections when its time is over, so its calls cannot be counted to the last one: it
// has its own database, which only the checker of the books reads.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { connectDatabase } from "@turnpike/db";
import { checkBooks } from "@turnpike/ledger";
import { type SpawnedServer, spawnServer } from "@turnpike/testing";
import { fundAccounts } from "./fund-accounts.ts";
import { expectNoFailures, sendLoad } from "./send-load.ts";
import { type BenchContext, startTurnpike } from "./start-sides.ts";
import { writeRequest } from "./write-request.ts";

export type WrkFigures = {
  title: string;
  /** Requests per second. */
  ours: number;
  wrk: number;
}[];

const connections = 64;
const accounts = 64;
const databaseName = "bench_wrk";
const bareProxy = join(import.meta.dirname, "run-bare-proxy.ts");

export function hasWrk(): boolean {
  return Bun.which("wrk") !== null;
}

export async function compareGenerators(
  context: BenchContext,
  upstream: SpawnedServer,
  seconds: number,
): Promise<WrkFigures> {
  const postgres = await createDatabase(context.postgres);
  const keys = await fundAccounts(postgres.ownerUrl, accounts);
  const bare = await spawnServer({ BENCH_UPSTREAM_URL: upstream.baseUrl }, { main: bareProxy });
  const turnpike = await startTurnpike({ ...context, postgres }, upstream, 1);
  const figures: WrkFigures = [];
  try {
    for (const [title, server] of [
      ["bare proxy", bare],
      ["Turnpike", turnpike],
    ] as const) {
      const port = Number(new URL(server.url).port);
      const requests = keys.map((key) => writeRequest({ port, key, stream: false }));
      const nextRequest = (index: number) => requests[index % requests.length] ?? Buffer.alloc(0);
      const ours = { answers: 0, seconds: 0 };
      let wrk = 0;
      // Half of ours before wrk and half after it.
      const send = async () => {
        const result = await sendLoad({ port, connections, seconds: seconds / 2, nextRequest });
        expectNoFailures(result);
        ours.answers += result.answers;
        ours.seconds += result.seconds;
      };
      await send();
      wrk = await runWrk(join(context.folder, "wrk.lua"), port, requests, seconds);
      await send();
      figures.push({ title, ours: ours.answers / ours.seconds, wrk });
    }
  } finally {
    await turnpike.kill("SIGTERM");
    await bare.kill();
  }
  await expectSoundBooks(postgres.ownerUrl);
  return figures;
}

/** Rejects when an answer was not a 200. */
async function runWrk(
  script: string,
  port: number,
  requests: readonly Buffer[],
  seconds: number,
): Promise<number> {
  const quoted = requests.map((request) => `  [==[${request.toString().replaceAll("\r", "")}]==],`);
  // A Lua string of several lines has no carriage returns: they are restored in the head here.
  writeFileSync(
    script,
    `local texts = {\n${quoted.join("\n")}\n}
local requests, n = {}, 0
for i, text in ipairs(texts) do
  local head, body = text:match("^(.-)\\n\\n(.*)$")
  requests[i] = head:gsub("\\n", "\\r\\n") .. "\\r\\n\\r\\n" .. body
end
request = function()
  n = n % #requests + 1
  return requests[n]
end
`,
  );
  const child = Bun.spawn(
    [
      "wrk",
      "--threads=1",
      `--connections=${connections}`,
      `--duration=${Math.max(1, Math.round(seconds))}s`,
      `--script=${script}`,
      `http://127.0.0.1:${port}/v1/chat/completions`,
    ],
    { stdin: "ignore", stdout: "pipe", stderr: "inherit" },
  );
  const said = await new Response(child.stdout).text();
  const rate = Number(/^Requests\/sec:\s+([\d.]+)/m.exec(said)?.[1]);
  if (!(rate > 0) || said.includes("Non-2xx")) throw new Error(`wrk says:\n${said}`);
  return rate;
}

async function createDatabase({ appUrl, ownerUrl }: BenchContext["postgres"]) {
  const connection = connectDatabase({ url: ownerUrl, max: 1, applicationName: "turnpike bench" });
  try {
    await connection.sql.unsafe(`create database ${databaseName}`);
  } finally {
    await connection.close();
  }
  const inIt = (url: string) => {
    const other = new URL(url);
    other.pathname = databaseName;
    return other.href;
  };
  return { appUrl: inIt(appUrl), ownerUrl: inIt(ownerUrl) };
}

async function expectSoundBooks(ownerUrl: string): Promise<void> {
  const connection = connectDatabase({ url: ownerUrl, max: 1, applicationName: "turnpike bench" });
  try {
    const violations = await checkBooks(connection.db);
    if (violations.length > 0) throw new Error("the books of the row with wrk are wrong");
  } finally {
    await connection.close();
  }
}
