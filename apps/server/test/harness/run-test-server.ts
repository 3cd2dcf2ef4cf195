// A program for `spawnServer`: the real server, except that it hashes passwords in microseconds.
import { lowPasswordCost } from "@turnpike/testing";
import { readEnvironment } from "../../src/config.ts";
import { exitAfterStartFailure } from "../../src/describe-start-failure.ts";
import { runServer } from "../../src/run-server.ts";

runServer(readEnvironment(undefined, process.argv.slice(2)), undefined, {
  passwordCost: lowPasswordCost,
}).catch(exitAfterStartFailure);
