// Prints the name of a template for test databases that is migrated by the repository it is run in.
import { migrate } from "@turnpike/db";
import { prepareTemplate } from "@turnpike/testing";

const clusterUrl = process.env.TEST_DATABASE_URL;
if (clusterUrl === undefined) throw new Error("TEST_DATABASE_URL is not set. Run `bun run test`.");
console.log(await prepareTemplate(clusterUrl, (url) => migrate({ url, sandbox: true })));
