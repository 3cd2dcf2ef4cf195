// One serving process: config, services, app, listen; it reloads the catalog on SIGHUP and drains on
// SIGTERM without losing an answer or a nano-dollar.
import { createApp } from "./app.ts";
import { findDescriptorMistakes } from "./check-descriptors.ts";
import { checkStart } from "./check-start.ts";
import { type ReadEnvironment, settingNames } from "./config.ts";
import { noteDraining } from "./describe-instance.ts";
import { closeInTime, type DrainTimes, drain, orphanDrain, shortenDrain } from "./drain.ts";
import { findMisspelt } from "./find-misspelt.ts";
import { startJobs } from "./jobs/start-jobs.ts";
import { type ListenOptions, listen, type Server } from "./listen.ts";
import { openServices, type ServiceOptions, type Services } from "./services.ts";
import type { WorkerRole } from "./worker-link.ts";

/**
 * Resolves when the process listens; rejects when it cannot start. `worker` is absent for a process
 * that has the port to itself.
 */
export async function runServer(
  environment: ReadEnvironment,
  worker: WorkerRole | undefined = undefined,
  options: Omit<ServiceOptions, "worker"> = {},
): Promise<void> {
  const config = await checkStart(environment);
  const services = await openServices(config, { ...options, worker: worker?.number });
  const stopJobs = startJobs(services);
  const state = { draining: false };
  const server = await listenOrClose(
    services,
    stopJobs,
    (listener) => createApp(services, { ...listener, state }),
    worker === undefined ? {} : { sharedPort: worker.sharedPort },
  );
  services.log.info({ port: server.port, host: config.HOST }, "listening");
  // Production refuses to start with these.
  for (const mistake of findDescriptorMistakes(config)) services.log.warn(mistake);
  for (const mistake of findMisspelt(settingNames, config.environment)) services.log.warn(mistake);

  let failed = false;
  const hurry = Promise.withResolvers<void>();
  const startDrain = (times: DrainTimes) => {
    state.draining = true;
    // A process that ends in any other way before it has drained has failed.
    process.exitCode = 1;
    services.beginDrain();
    void noteDraining({ ...services, sql: services.jobsDatabase.sql });
    void drain(services, server, stopJobs, times, hurry.promise).then((closed) => {
      process.exit(closed && !failed ? 0 : 1);
    });
  };
  const leave = (times: DrainTimes, why: string) => {
    if (!state.draining) {
      startDrain(times);
      return;
    }
    // A second request to stop: no notice, and answers end immediately.
    hurry.resolve();
    services.endAnswers(why);
  };
  // Load balancers see it not ready during the notice, and then it ends.
  void services.heartbeat.outdated.then(() => {
    if (!state.draining) startDrain(config);
  });
  const reload = () => void services.catalog.reload();
  if (worker === undefined) {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      process.on(signal, () => leave(config, "second signal"));
    }
    // The channel of `bun run start`, if that started this process.
    process.on("disconnect", () => leave(orphanDrain(config), "parent process ended"));
  } else {
    // A signal to the whole group reaches a worker twice, directly and through its parent: only the
    // parent says when answers must end immediately.
    const drainOnce = () => {
      if (!state.draining) startDrain(config);
    };
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, drainOnce);
    worker.onCommand({
      drain: drainOnce,
      end: () => leave(config, "second signal"),
      reload,
      orphaned: () => leave(orphanDrain(config), "parent process ended"),
    });
    worker.reportListening(Number(server.port));
  }
  process.on("SIGHUP", reload);
  process.on("unhandledRejection", (reason) => {
    services.metrics.countUnhandledRejection();
    services.log.error({ err: reason }, "unhandled rejection");
  });
  process.on("uncaughtException", (error) => {
    services.log.fatal({ err: error }, "uncaught exception");
    // A second exception does not end the answers that survived the first one.
    if (failed) return;
    failed = true;
    leave(shortenDrain(config), "uncaught exception");
  });
}

/** Closes what was opened, within `SETTLE_WAIT_MS`: others would count a failed start as a live instance. */
async function listenOrClose(
  services: Services,
  stopJobs: () => Promise<void>,
  createAppFor: Parameters<typeof listen>[1],
  options: ListenOptions,
): Promise<Server> {
  try {
    return listen(services, createAppFor, options);
  } catch (error) {
    await closeInTime(services, stopJobs, services.config.SETTLE_WAIT_MS);
    throw error;
  }
}
