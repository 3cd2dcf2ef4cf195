// `bun dev` in a fresh copy of the repository, without packages or data: it must start, respond, and stop
// without leaving a process, however it is stopped and whatever goes wrong. A start takes
// seconds, so each shows as many promises as it can.
import { describe, expect, test } from "bun:test";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, preparePython } from "@turnpike/testing";
import { readExamples, runExample } from "./run-examples.fixture.ts";
import {
  copyRepository,
  type DevFacts,
  type DevRun,
  killProgram,
  leftovers,
  openCopy,
  pasteCurl,
  removeCopy,
} from "./try-dev.fixture.ts";

const isRoot = process.getuid?.() === 0;
const slow = 600_000;
/** PostgreSQL does not run as root, and must work in a folder that only root can enter. */
const mode = isRoot ? 0o700 : 0o755;
const { folder, start } = openCopy({ mode });

test(
  "a fresh copy installs itself and starts, and the printed curl is answered, and every example of the documents",
  async () => {
    const run = await start();
    const facts = await run.ready();
    expect(statSync(folder).mode & 0o777).toBe(mode);
    const file = statSync(join(run.dataDir, "dev.json"));
    expect(file.mode & 0o777).toBe(0o600);
    const urls = ["baseUrl", "consoleUrl", "databaseOwnerUrl", "databaseUrl"];
    expect(Object.keys(facts).sort()).toEqual(["apiKey", ...urls, "email", "password"]);
    expect(facts.baseUrl).toEndWith("/v1");
    // Its password is published and its credit is free: only this machine may connect.
    const elsewhere = facts.baseUrl.replace("127.0.0.1", "127.0.0.2");
    await expect(fetch(`${elsewhere}/models`)).rejects.toThrow();

    expect(await pasteCurl(run)).toBe("Hello");
    await expectExamples(facts);
    await expectSecondCopyRefused(facts);

    run.child.kill("SIGTERM");
    expect(await run.exited).not.toBe(1);
    expect(await leftovers(folder)).toEqual([]);
    expect(() => statSync(join(run.dataDir, "dev.json"))).toThrow();
  },
  slow,
);

/** Every example of README.md and docs/clients.md gets the answer it should when pasted. */
async function expectExamples(facts: DevFacts): Promise<void> {
  const python = await preparePython();
  if (python.kind === "absent") console.log(`skip: the Python example (${python.reason})`);
  const path = python.kind === "ready" ? python.path : undefined;
  const examples = readExamples(folder, facts);
  const languages = examples.map(({ language }) => language);
  const ofSdks = Array.from({ length: 7 }, () => "js");
  const clients = [...ofSdks, "toml", "json", "js", "js", "js"];
  expect(languages).toEqual(["sh", "python", ...clients, "sh"]);
  for (const example of examples) {
    // The configurations of Codex and opencode, whose own tests run them.
    if (example.language === "toml" || example.language === "json") continue;
    if (example.language === "python" && path === undefined) continue;
    const printed = runExample(folder, example, path ?? "").trim();
    const said = example.language === "sh" ? JSON.parse(printed) : printed;
    if (example.code.includes("/v1/embeddings")) {
      expect(said).toMatchObject({ object: "list", data: [{ object: "embedding", index: 0 }] });
      expect(said.data[0].embedding).toContainEqual(expect.any(Number));
      expect(said.usage.cost).toBeGreaterThan(0);
    } else expect(said.choices?.[0].message.content ?? said).toBe("Hello");
  }
}

/** A second copy on the same data is refused in one sentence, and does not disturb the first. */
async function expectSecondCopyRefused(facts: DevFacts): Promise<void> {
  const said = await refusal(await start());
  expect(said).toMatch(/^Turnpike already runs on .*: process \d+, http:\/\/localhost:\d+ - /);
  expect(said.split("\n")).toHaveLength(1);
  const answer = await fetch(`${facts.baseUrl}/models`, {
    headers: { authorization: `Bearer ${facts.apiKey}` },
  });
  expect(answer.status).toBe(200);
}

describe("nothing is left running after", () => {
  test(
    "Ctrl-C, which ends it without a line that looks like an error",
    async () => {
      const run = await start();
      await run.ready();
      const closed = once(run.child, "close");
      process.kill(-(run.child.pid ?? 0), "SIGINT");
      expect(await run.exited).toBe(0);
      await closed;
      expect(run.output()).not.toMatch(/error|exited with code/i);
      expect(await leftovers(folder)).toEqual([]);
    },
    slow,
  );

  const ends: Record<string, (run: DevRun) => void> = {
    "SIGINT to the top process alone": ({ child }) => child.kill("SIGINT"),
    "SIGHUP when the terminal closes": ({ child }) => process.kill(-(child.pid ?? 0), "SIGHUP"),
    "kill -9 of the top process": ({ child }) => child.kill("SIGKILL"),
  };
  for (const [name, end] of Object.entries(ends)) {
    test(
      name,
      async () => {
        const run = await start();
        await run.ready();
        end(run);
        expect(await leftovers(folder)).toEqual([]);
      },
      slow,
    );
  }

  const programs = { database: "/bin/postgres", console: "/vite.js", server: "/src/main.ts" };
  for (const [name, file] of Object.entries(programs)) {
    test(
      `kill -9 of the ${name}, which is named`,
      async () => {
        const run = await start();
        await run.ready();
        killProgram(folder, file);
        expect(await run.exited).toBe(1);
        expect(run.output()).toContain(`The ${name} ended with status SIGKILL`);
        expect(await leftovers(folder)).toEqual([]);
      },
      slow,
    );
  }

  test(
    "kill -9 in the middle of the start",
    async () => {
      const lock = join(folder, ".data/dev.lock");
      rmSync(lock, { force: true });
      const run = await start();
      while (!existsSync(lock)) await Bun.sleep(5);
      run.child.kill("SIGKILL");
      expect(await leftovers(folder)).toEqual([]);
    },
    slow,
  );

  test(
    "the shell that waits for it was killed",
    async () => {
      const bun = join(folder, "node_modules/bun/bin/bun.exe");
      const run = await start({ command: ["sh", "-c", `${bun} run dev; true`] });
      await run.ready();
      run.child.kill("SIGKILL");
      expect(await leftovers(folder)).toEqual([]);
    },
    slow,
  );
});

test(
  "it outlives the shell that started it in the background",
  async () => {
    const bun = join(folder, "node_modules/bun/bin/bun.exe");
    const run = await start({ command: ["sh", "-c", `${bun} run dev & wait`] });
    const facts = await run.ready();
    const group = -(run.child.pid ?? 0);
    process.kill(run.child.pid ?? 0, "SIGKILL");
    await run.exited;
    // Longer than it takes to notice the end of a command.
    const until = performance.now() + 2_000;
    try {
      while (performance.now() < until) {
        expect((await fetch(facts.consoleUrl)).status).toBe(200);
        await Bun.sleep(100);
      }
    } finally {
      process.kill(group, "SIGTERM");
    }
    expect(await leftovers(folder)).toEqual([]);
  },
  slow,
);

async function refusal(run: DevRun): Promise<string> {
  expect(await run.exited).toBe(1);
  const lines = run.output().trim().split("\n");
  return lines.filter((line) => !/^\$ |^error: script "dev" exited/.test(line)).join("\n");
}

describe("one sentence and exit code 1 for", () => {
  test(
    "a port in use",
    async () => {
      const port = await freePort();
      const other = createServer().listen(port, "127.0.0.1");
      const said = await refusal(await start({ port }));
      expect(said).toBe(
        `Port ${port} is in use by another program: stop it, or set PORT, for example PORT=${port + 1}.`,
      );
      other.close();
    },
    slow,
  );

  test("a PORT that is not a port", async () => {
    const said = await refusal(await start({ environment: { PORT: "eighty" } }));
    expect(said).toBe('PORT is "eighty", which is not a port number from 1 to 65535.');
  });

  test(
    "no packages and no network",
    async () => {
      const bare = copyRepository(0o755);
      const cache = mkdtempSync(join(tmpdir(), "turnpike-cache-"));
      try {
        const said = await refusal(
          await start({
            folder: bare,
            environment: {
              BUN_INSTALL_CACHE_DIR: cache,
              BUN_CONFIG_REGISTRY: "http://127.0.0.1:9",
              NPM_CONFIG_REGISTRY: "http://127.0.0.1:9",
            },
          }),
        );
        expect(said).toContain("the package registry cannot be reached");
        expect(said).not.toMatch(/^\s+at /m);
      } finally {
        removeCopy(bare);
        rmSync(cache, { recursive: true, force: true });
      }
    },
    slow,
  );
});

test(
  "an incomplete data folder is completed, and after kill -9 of the whole group nothing runs and the data is there",
  async () => {
    rmSync(join(folder, ".data"), { recursive: true, force: true });
    const cluster = join(folder, ".data/postgres/cluster");
    mkdirSync(cluster, { recursive: true });
    writeFileSync(join(cluster, "PG_VERSION"), "18");
    writeFileSync(join(cluster, "postmaster.pid"), `${process.pid}\n${cluster}\n`);
    writeFileSync(join(folder, ".data/dev.lock"), "process ");
    writeFileSync(join(folder, ".data/dev.json"), "{");
    const run = await start();
    const facts = await run.ready();
    process.kill(-(run.child.pid ?? 0), "SIGKILL");
    expect(await leftovers(folder)).toEqual([]);
    const again = await (await start()).ready();
    expect(again.apiKey).toBe(facts.apiKey);
  },
  slow,
);
