// One of the processes that `WORKERS=n` starts; see supervise-workers.ts.
import { readEnvironment } from "./config.ts";
import { exitAfterStartFailure } from "./describe-start-failure.ts";
import { runServer } from "./run-server.ts";
import { createWorkerLink } from "./worker-link.ts";

const { link, rest } = createWorkerLink(process.argv.slice(2));
runServer(readEnvironment(undefined, rest), link).catch(exitAfterStartFailure);
