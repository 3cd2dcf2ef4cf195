// One server of a soak: a process that is killed and started again, its own proxy to PostgreSQL, and what it
// printed. Nothing it prints may say that an error was not handled.
import { readdirSync } from "node:fs";
import { type SpawnedServer, spawnServer, startTcpProxy, type TcpProxy } from "@turnpike/testing";
import { readFamilyRssBytes } from "../bench/read-usage.ts";

/** A promise that was not kept, as the log of a server tells it. */
const mustNotLog =
  /unhandled rejection|uncaught exception|"bug"|the books are wrong|"charge failed"|panic|Segmentation fault/;

export type Sample = { readonly rssBytes: number; readonly descriptors: number };

type Settings = {
  readonly environment: Readonly<Record<string, string>>;
  readonly times: Readonly<Record<string, number>>;
};

export type InstanceExit = { readonly code: number | null; readonly lastLines: readonly string[] };

export class Instance {
  readonly name: string;
  readonly proxy: TcpProxy;
  /** Samples of the process that runs now, taken while nothing happens. */
  samples: Sample[] = [];
  /** Lines that must not be logged. */
  readonly wrongLines: string[] = [];
  starts = 0;
  failedStarts = 0;
  #server: SpawnedServer | undefined;
  readonly #settings: Settings;

  constructor(name: string, proxy: TcpProxy, settings: Settings) {
    this.name = name;
    this.proxy = proxy;
    this.#settings = settings;
  }

  /** Undefined while it does not run. */
  get url(): string | undefined {
    return this.#server?.url;
  }

  /** Tries again until it runs: at a start the database may be away. */
  async start(): Promise<void> {
    for (;;) {
      try {
        const { environment, times } = this.#settings;
        this.#server = await spawnServer(environment, { times });
        this.starts += 1;
        this.samples = [];
        return;
      } catch (error) {
        this.failedStarts += 1;
        this.#readLog(String(error));
        if (this.failedStarts > 200) throw error;
        await Bun.sleep(300);
      }
    }
  }

  /** Ends the process; the code it exited with and the end of its log. */
  async end(signal: "SIGKILL" | "SIGTERM"): Promise<InstanceExit> {
    const server = this.#server;
    if (server === undefined) return { code: 0, lastLines: [] };
    const ending = server.kill(signal);
    if (signal === "SIGKILL") this.#server = undefined;
    const { code } = await ending;
    this.#server = undefined;
    this.#readLog(server.output());
    return { code, lastLines: server.output().trimEnd().split("\n").slice(-5) };
  }

  /** Stops it for so long, without it noticing. */
  async freeze(milliseconds: number): Promise<void> {
    const pid = this.#server?.pid;
    if (pid === undefined) return;
    process.kill(pid, "SIGSTOP");
    await Bun.sleep(milliseconds);
    process.kill(pid, "SIGCONT");
  }

  sample(): void {
    const pid = this.#server?.pid;
    if (pid === undefined) return;
    const descriptors = readdirSync(`/proc/${pid}/fd`).length;
    this.samples.push({ rssBytes: readFamilyRssBytes(pid), descriptors });
  }

  /** Its log so far; the caller reads it at the end of a round. */
  readLog(): void {
    if (this.#server !== undefined) this.#readLog(this.#server.output());
  }

  #readLog(text: string): void {
    for (const line of text.split("\n")) {
      if (mustNotLog.test(line) && !this.wrongLines.includes(line)) this.wrongLines.push(line);
    }
  }
}

export async function openInstance(
  name: string,
  postgresUrl: string,
  { environment, times }: Settings,
): Promise<Instance> {
  const url = new URL(postgresUrl);
  const proxy = await startTcpProxy({ port: Number(url.port) });
  url.port = String(proxy.port);
  const instance = new Instance(name, proxy, {
    environment: { ...environment, DATABASE_URL: url.href },
    times,
  });
  await instance.start();
  return instance;
}
