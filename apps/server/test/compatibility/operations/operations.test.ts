// Every operation beside text over every dialect that serves it: by HTTP, and by each official package that has a call for it. It
// generates the second table of docs/compatibility.md: UPDATE_DOCS=1 writes the results.
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { preparePython, type Script, smallImage } from "@turnpike/testing";
import { runPython } from "../../clients/run-python.ts";
import { startClouds } from "../../clouds/start-clouds.ts";
import {
  at,
  expectCleanBooks,
  openAccount,
  readJson,
  readMoney,
  startTestServer,
} from "../../harness/index.ts";
import { expectTable } from "../write-table.fixture.ts";
import { askByHttp, requests } from "./ask-by-http.fixture.ts";
import { nodeClients } from "./node-clients.fixture.ts";
import { type Cell, cells, operationsCatalog } from "./upstreams.fixture.ts";

const clouds = startClouds();
const server = await startTestServer({
  environment: clouds.environment,
  catalog: (baseUrl) => {
    clouds.connect(baseUrl);
    return operationsCatalog(baseUrl, clouds.providerLines);
  },
});
const account = await openAccount(server);
const access = { url: server.url, baseUrl: server.baseUrl, key: account.key };
afterEach(() => expectCleanBooks(server));
afterAll(async () => {
  await server.close();
  await clouds.close();
});

/** The columns that were seen to hold, by the row's name. */
const found = new Map<string, Set<string>>();
const note = ({ name }: Cell, column: string) =>
  found.set(name, (found.get(name) ?? new Set()).add(column));

const balance = async () => (await readMoney(server, account.id)).balanceNanos;

type Feature = {
  readonly name: string;
  readonly applies: (cell: Cell) => boolean;
  readonly check: (cell: Cell) => Promise<void>;
};

const isServed = ({ isRefused }: Cell) => !isRefused;

const features: readonly Feature[] = [
  { name: "whole", applies: () => true, check: checkWhole },
  {
    name: "stream",
    applies: ({ operation }) => requests[operation].stream !== undefined,
    async check(cell) {
      const answer = await askByHttp(access, cell, true);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toStartWith("text/event-stream");
      expect(await answer.text()).toMatch(/"type":"[\w.]+\.(?:completed|done)"/);
    },
  },
  {
    name: "error before",
    applies: isServed,
    async check(cell) {
      const before = await balance();
      const error = { status: 429, error: "slow down", headers: { "retry-after": "7" } };
      const answer = await askWith(error, cell);
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "7"]);
      expect(at(await readJson(answer), "error.message")).toBeString();
      await expectCleanBooks(server);
      expect(await balance()).toBe(before);
    },
  },
  {
    name: "cut",
    applies: isServed,
    async check(cell) {
      const before = await balance();
      const answer = await askWith({ cutAfterBytes: 20 }, cell);
      const body = await answer.arrayBuffer().catch(() => undefined);
      // Audio is passed on as it comes; what is read whole first is answered as failed, and is free.
      expect(answer.status === 502 || body === undefined).toBe(true);
      await expectCleanBooks(server);
      if (answer.status === 502) expect(await balance()).toBe(before);
    },
  },
];

async function checkWhole(cell: Cell): Promise<void> {
  const { length } = server.upstream.requests;
  const before = await balance();
  const answer = await askByHttp(access, cell);
  if (cell.isRefused) {
    expect(answer.status).toBe(400);
    expect(at(await readJson(answer), "error.param")).toBeString();
    expect(server.upstream.requests).toHaveLength(length);
    return;
  }
  expect([answer.status, answer.status === 200 ? "" : await answer.text()]).toEqual([200, ""]);
  expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(10);
  await expectCleanBooks(server);
  // Moderations are free.
  expect((await balance()) < before).toBe(cell.operation !== "moderations");
}

/** The upstream follows a script until the head of the answer is here. */
async function askWith(script: Script, cell: Cell): Promise<Response> {
  server.upstream.script(script);
  try {
    return await askByHttp(access, cell);
  } finally {
    server.upstream.script(undefined);
  }
}

describe.each(cells.map((cell) => [cell.name, cell] as const))("%s", (_name, cell) => {
  for (const { name, applies, check } of features) {
    if (!applies(cell)) continue;
    test(name, async () => {
      await check(cell);
      note(cell, name);
    });
  }
  for (const { name, asks } of nodeClients(access)) {
    const { [cell.operation]: ask } = asks;
    if (ask === undefined) continue;
    test(name, async () => {
      await (cell.isRefused ? expect(ask(cell)).rejects.toThrow() : ask(cell));
      note(cell, name);
    });
  }
});

const pythons = [
  ["openai-3.54.0", ["openai (Python)", "openai (async)"]],
  ["cohere-7.3.1", ["cohere (Python)"]],
  ["mistralai-3.7.0", ["mistralai"]],
  ["google-genai-3.6.1", ["google-genai (Python)"]],
] as const;
const environments = await Promise.all(
  pythons.map(async ([packages, clients]) => ({
    clients,
    packages,
    python: await preparePython(packages),
  })),
);
const absent = environments.flatMap(({ packages, python }) =>
  python.kind === "absent" ? [`${packages} (${python.reason})`] : [],
);
for (const reason of absent) console.log(`skipped: ${reason}`);

for (const { clients, packages, python } of environments) {
  test.skipIf(python.kind === "absent")(`${packages} asks for what it has a call for`, async () => {
    if (python.kind === "absent") return;
    const results = await runCases(python.path, clients);
    expect(results.length).toBeGreaterThan(0);
    for (const { client, cell: name, problem } of results) {
      const cell = cells.find((one) => one.name === name);
      if (cell === undefined) throw new Error(`there is no cell ${name}`);
      const isExpected = cell.isRefused ? /\b400\b/.test(problem ?? "") : problem === null;
      expect([client, name, isExpected ? null : problem]).toEqual([client, name, null]);
      note(cell, client);
    }
  });
}

type CaseResult = {
  readonly client: string;
  readonly cell: string;
  readonly problem: string | null;
};

async function runCases(path: string, clients: readonly string[]): Promise<CaseResult[]> {
  const png = smallImage("png", { width: 64, height: 64, color: [0, 128, 255] });
  const results = await runPython({
    path,
    script: join(import.meta.dir, "operations-cases.py"),
    environment: {
      SERVER_URL: access.url,
      OPENAI_BASE_URL: access.baseUrl,
      OPENAI_API_KEY: access.key,
      CLIENTS: JSON.stringify(clients),
      CELLS: JSON.stringify(cells),
      PNG: png.toString("base64"),
    },
  });
  return results.map(({ client, cell, problem }) => ({
    client: String(client),
    cell: String(cell),
    problem: problem === null ? null : String(problem),
  }));
}

test.skipIf(absent.length > 0)("docs/compatibility.md shows what was found", async () => {
  const columns = [
    ...features.map(({ name }) => name),
    ...nodeClients(access).map(({ name }) => name),
    ...pythons.flatMap(([, clients]) => clients),
  ];
  const resultOf = ({ name, isRefused }: Cell, column: string) => {
    if (found.get(name)?.has(column) !== true) return "-";
    return isRefused ? "refused" : "yes";
  };
  const rows = cells.map((cell) => [cell.name, ...columns.map((column) => resultOf(cell, column))]);
  const page = new URL("../../../../../docs/compatibility.md", import.meta.url);
  await expectTable(page, [["operation and dialect", ...columns], ...rows]);
});
