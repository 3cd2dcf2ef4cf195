// The server: config, services, app, listen; on SIGHUP the catalogue anew, and on SIGTERM a drain that
// loses neither an answer nor a nano-dollar.
import { CatalogError } from "@turnpike/catalog";
import { isConnectionError, readErrorCode } from "@turnpike/db";
import { createApp } from "./app.ts";
import { checkStart } from "./check-start.ts";
import { ConfigError, readEnvironment } from "./config.ts";
import { type DrainTimes, drain, shortenDrain } from "./drain.ts";
import { startJobs } from "./jobs.ts";
import { listen, type Server } from "./listen.ts";
import { openServices, type Services } from "./services.ts";

/** sysexits.h EX_CONFIG. */
const configurationExitCode = 78;

async function main(): Promise<void> {
  const config = await checkStart(readEnvironment(), describe);
  const services = await openServices(config);
  const stopJobs = startJobs(services);
  const state = { draining: false };
  const server = await listenOrClose(services, stopJobs, (listener) =>
    createApp(services, { ...listener, state }),
  );
  services.log.info({ port: server.port, host: config.HOST }, "listening");

  let failed = false;
  const leave = (times: DrainTimes, why: string) => {
    // Asked again: at once.
    if (state.draining) return services.endAnswers(why);
    state.draining = true;
    void drain(services, server, stopJobs, times).then((closed) => {
      process.exit(closed && !failed ? 0 : 1);
    });
  };
  const onSignal = () => leave(config, "second signal");
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
  process.on("SIGHUP", () => void services.catalog.reload());
  process.on("unhandledRejection", (reason) => {
    services.metrics.countUnhandledRejection();
    services.log.error({ err: reason }, "unhandled rejection");
  });
  process.on("uncaughtException", (error) => {
    services.log.fatal({ err: error }, "uncaught exception");
    // A bug that comes again is no reason to end the answers that outlived it.
    if (failed) return;
    failed = true;
    leave(shortenDrain(config), "uncaught exception");
  });
}

/** A start that fails here leaves no instance behind that others would count as live. */
async function listenOrClose(
  services: Services,
  stopJobs: () => Promise<void>,
  createAppFor: Parameters<typeof listen>[1],
): Promise<Server> {
  try {
    return listen(services, createAppFor);
  } catch (error) {
    await stopJobs();
    await services.close();
    throw error;
  }
}

main().catch((error: unknown) => {
  if (error instanceof ConfigError || error instanceof CatalogError) {
    process.stderr.write(`Turnpike cannot start:\n${error.message}\n`);
    process.exit(configurationExitCode);
  }
  process.stderr.write(`Turnpike cannot start: ${describe(error)}\n`);
  process.exit(1);
});

/** One sentence for what an operator can mend; the stack for what only we can. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = readErrorCode(error) ?? "";
  if (code === "EADDRINUSE") return "another process listens on this port. Set PORT to a free one.";
  if (isConnectionError(error)) return "the database does not answer. Check DATABASE_URL.";
  if (refusedEntry.test(code)) {
    return `${innermost(error).message}. Check DATABASE_URL and DATABASE_MIGRATION_URL.`;
  }
  if (code === "EACCES" && !("path" in error)) {
    return "this port needs special rights. Set PORT to one above 1023.";
  }
  if (/^E(?:NOENT|ACCES|ISDIR)$/.test(code)) return `${error.message}. Check CATALOG_FILE.`;
  return error.stack ?? error.message;
}

/** A wrong password, no such database, no right: what PostgreSQL says of them is a sentence already. */
const refusedEntry = /^(?:28|3D)|^42501$/;

/** The driver's own error, however deep a query builder wrapped it. */
function innermost(error: Error): Error {
  return error.cause instanceof Error ? innermost(error.cause) : error;
}
