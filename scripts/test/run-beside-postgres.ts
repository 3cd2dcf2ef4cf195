// Starts one PostgreSQL with a migrated template to clone, for everything that a run of tests starts. In any case,
// the processes, the database and its folder are removed afterwards.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { migrate } from "@turnpike/db";
import { prepareTemplate } from "@turnpike/testing";
import { type RunningPostgres, startPostgres } from "../postgres/start-postgres.ts";
import { bypassProxy } from "../process/bypass-proxy.ts";
import { type SupervisedProcess, startSupervised } from "../process/start-supervised.ts";
import { bundleServer } from "./bundle-server.ts";
import { makeTestFolder } from "./make-test-folder.ts";

export type Command = { readonly command: readonly string[]; readonly cwd: string };

/** Starts a process that finds the database; its output is piped. */
export type Run = (command: Command) => SupervisedProcess;

/** `use` returns the exit code; `variables` are added to the environment of what it starts. */
export async function runBesidePostgres(
  use: (run: Run) => Promise<number>,
  variables: Readonly<Record<string, string>> = {},
): Promise<number> {
  const folder = makeTestFolder();
  let postgres: RunningPostgres | undefined;
  const running: SupervisedProcess[] = [];
  const clear = async () => {
    await Promise.all(running.map((one) => one.stop()));
    await postgres?.stop();
    if (postgres) rmSync(postgres.home, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => void clear().finally(() => process.exit(130)));
  }
  try {
    postgres = await startPostgres({ home: join(folder, "postgres"), durable: false });
    const [prepared, program] = await Promise.all([
      prepareEnvironment(postgres),
      bundleServer(join(folder, "server")),
    ]);
    const env = { ...prepared, TEST_FOLDER: folder, TEST_SERVER: program, ...variables };
    return await use(({ command, cwd }) => {
      const started = startSupervised(command, "pipe", { cwd, env });
      running.push(started);
      return started;
    });
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return 1;
  } finally {
    await clear();
  }
}

async function prepareEnvironment(postgres: RunningPostgres): Promise<NodeJS.ProcessEnv> {
  const template = await prepareTemplate(postgres.ownerUrl, (url) =>
    migrate({ url, sandbox: true }),
  );
  return {
    ...process.env,
    ...bypassProxy(process.env),
    NODE_ENV: "test",
    TEST_DATABASE_URL: postgres.ownerUrl,
    TEST_TEMPLATE: template,
    TEST_APP_PASSWORD: postgres.appPassword,
    // As `bun run start` does: without it the 257th upstream stream stalls.
    BUN_CONFIG_MAX_HTTP_REQUESTS: "8192",
  };
}
