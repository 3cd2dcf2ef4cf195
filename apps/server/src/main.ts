// The server: one process, or with WORKERS=n a parent of n processes that share the port.
import { readEnvironment } from "./config.ts";
import { exitAfterStartFailure } from "./describe-start-failure.ts";
import { runServer } from "./run-server.ts";
import { superviseWorkers } from "./supervise-workers.ts";

const environment = readEnvironment(undefined, process.argv.slice(2));
const { config, mistakes } = environment;
// A configuration with mistakes starts nothing: `runServer` reports all of them.
if (config !== undefined && mistakes.length === 0 && config.WORKERS > 1) superviseWorkers(config);
else runServer(environment).catch(exitAfterStartFailure);
