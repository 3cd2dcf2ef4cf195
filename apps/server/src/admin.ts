// The operator's command line: `bun run admin account credit --email …`.

import { runAdmin } from "./admin/run-admin.ts";
import { readAdminConfig } from "./config.ts";

const outcome = await runAdmin(process.argv.slice(2), readAdminConfig);
process.stdout.write(outcome.stdout);
process.stderr.write(outcome.stderr);
process.exitCode = outcome.exitCode;
