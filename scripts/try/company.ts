// `bun scripts/try/company.ts`: a company of fifty on the management API alone, for a month of simulated days, and its
// books at the end. It exits with 1 if anything does not add up. Not part of the product.
import { installDependencies } from "../install/install-dependencies.ts";
import { readCompanyOptions, usage } from "./company/company-options.ts";

const options = readCompanyOptions(process.argv.slice(2));
if (typeof options === "string") {
  console.error(`${options}\n\n${usage}`);
  process.exit(2);
}
await installDependencies();
const { runCompany } = await import("./company/run-company.ts");
process.exit(await runCompany(options));
