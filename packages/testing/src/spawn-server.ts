// Runs the real server as a separate operating-system process, for what only a process can show:
// kill -9, SIGTERM, two instances on one database. No server outlives the tests, even if they are killed.
import { fileURLToPath } from "node:url";
import { inPhase } from "./in-phase.ts";

export type SpawnedServer = {
  /** Ends in `/v1`. */
  baseUrl: string;
  /** Without the `/v1`. */
  url: string;
  pid: number;
  /** Sends a signal; resolves with the exit once the process has ended. Default SIGKILL. */
  kill(signal?: NodeJS.Signals): Promise<ServerExit>;
  exited: Promise<ServerExit>;
  /** Everything it printed so far, stdout and stderr in order of arrival. */
  output(): string;
};

export type ServerExit = { code: number | null; signal: NodeJS.Signals | number | null };

export type SpawnOptions = {
  /** Default: `apps/server/src/main.ts`, bundled if the run of tests has done so. It must print `{"msg":"listening","port":…}`. */
  main?: string;
  /** Generous, because a machine may be busy; a server that ends is noticed immediately. */
  readyTimeoutMs?: number;
  /** Instead of the server's own, by the names of `server-times.ts`. */
  times?: Readonly<Record<string, number>>;
  /** `NAME:NTH`: where it kills itself. */
  failpoint?: string;
};

const serverMain =
  process.env.TEST_SERVER ??
  fileURLToPath(new URL("../../../apps/server/src/main.ts", import.meta.url));

/**
 * Starts a server on a free port; throws with its output if it ends or stays silent. With WORKERS=n it
 * is ready when n processes listen.
 */
export async function spawnServer(
  environment: Readonly<Record<string, string>>,
  { main = serverMain, readyTimeoutMs = 120_000, ...given }: SpawnOptions = {},
): Promise<SpawnedServer> {
  const child = Bun.spawn([process.execPath, main, ...writeArguments(given)], {
    env: { ...inherited(), PORT: "0", ...environment },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const watchdog = startWatchdog(child.pid);
  const exited = child.exited.then((): ServerExit => {
    watchdog.kill("SIGKILL");
    return { code: child.exitCode, signal: child.signalCode };
  });
  let printed = "";
  const ready = Promise.withResolvers<number>();
  let awaited = Number(environment.WORKERS ?? 1);
  const reading = Promise.all([
    readLines(child.stdout, (line) => {
      printed += `${line}\n`;
      const port = readyPort(line);
      if (port === undefined) return;
      awaited -= 1;
      if (awaited === 0) ready.resolve(port);
    }),
    readLines(child.stderr, (line) => {
      printed += `${line}\n`;
    }),
  ]);
  const finished = Promise.all([exited, reading]).then(([exit]) => exit);
  const giveUp = (why: string) => ready.reject(new Error(`the server ${why}:\n${printed}`));
  const timer = setTimeout(() => giveUp("did not say that it listens"), readyTimeoutMs);
  void finished.then(({ code, signal }) => giveUp(`ended with ${signal ?? code}`));
  try {
    const url = `http://127.0.0.1:${await inPhase("servers", () => ready.promise)}`;
    return {
      url,
      baseUrl: `${url}/v1`,
      pid: child.pid,
      kill(signal = "SIGKILL") {
        child.kill(signal);
        return endsInTime(finished, () => `${signal} did not end the server:\n${printed}`);
      },
      exited: finished,
      output: () => printed,
    };
  } catch (error) {
    child.kill("SIGKILL");
    await exited;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function writeArguments({ times, failpoint }: SpawnOptions): string[] {
  return [
    ...(times === undefined ? [] : [`--times=${JSON.stringify(times)}`]),
    ...(failpoint === undefined ? [] : [`--failpoint=${failpoint}`]),
  ];
}

/** Less than a test may take, so that a server that does not end says how far it got. */
const endWithinMs = 100_000;

async function endsInTime(
  finished: Promise<ServerExit>,
  describe: () => string,
): Promise<ServerExit> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(describe())), endWithinMs);
  try {
    return await Promise.race([finished, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Kills a process when ours ends in any way: only then does the watchdog's stdin close. */
function startWatchdog(pid: number) {
  const script = `trap '' INT TERM; read _; kill -9 ${pid} 2>/dev/null`;
  return Bun.spawn(["/bin/sh", "-c", script], { stdin: "pipe", stdout: "ignore" });
}

/** The part of our environment that a program needs, without the tests' own settings. */
function inherited(): Record<string, string> {
  const kept: Record<string, string> = { BUN_CONFIG_MAX_HTTP_REQUESTS: "8192" };
  for (const name of ["PATH", "HOME", "TMPDIR", "LANG"]) {
    const value = process.env[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}

async function readLines(stream: ReadableStream<Uint8Array>, onLine: (line: string) => void) {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line);
  }
  if (rest !== "") onLine(rest);
}

/** Text without a line break, as libraries print it while they load, may precede the log's line. */
function readyPort(line: string): number | undefined {
  if (!line.includes('"listening"')) return undefined;
  try {
    const entry: unknown = JSON.parse(line.slice(line.indexOf("{")));
    if (typeof entry !== "object" || entry === null) return undefined;
    if (!("msg" in entry) || entry.msg !== "listening" || !("port" in entry)) return undefined;
    return typeof entry.port === "number" ? entry.port : undefined;
  } catch {
    return undefined;
  }
}
