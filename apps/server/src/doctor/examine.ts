// Examines an installation from outside in: its settings, its public address, what it depends on, and its database.
// Changes nothing, sends no mail and costs nothing.
import { CatalogError, type CatalogFile } from "@turnpike/catalog";
import type { Config, ReadEnvironment } from "../config.ts";
import { describeStartFailure } from "../describe-start-failure.ts";
import { readCatalogFile } from "../open-catalog.ts";
import type { Trust } from "./ask-outside.ts";
import { checkAddress } from "./check-address.ts";
import { checkInstalledDatabase } from "./check-installed-database.ts";
import { checkMail, checkProviders, checkStripeAccount } from "./check-partners.ts";
import { type Check, error, type Finding, messageOf, ok } from "./finding.ts";

export async function examine(
  { config, mistakes }: ReadEnvironment,
  trust: Trust = {},
): Promise<readonly Finding[]> {
  const wrong = mistakes.map((mistake) => error("settings", mistake));
  if (config === undefined) return wrong;
  const settings =
    wrong.length > 0 ? wrong : [ok("settings", "Every setting is fit for its mode.")];
  const checks: Readonly<Record<string, Check>> = {
    address: () => checkAddress(config, trust),
    mail: () => checkMail(config),
    stripe: () => checkStripeAccount(config.stripe, config.PUBLIC_URL),
    providers: () => checkCatalog(config),
    database: () => checkInstalledDatabase(config),
  };
  const found = Object.entries(checks).map(([name, check]) =>
    check().catch((thrown: unknown) => [error(name, `Not checked (${messageOf(thrown)}).`)]),
  );
  return [...settings, ...(await Promise.all(found)).flat()];
}

async function checkCatalog(config: Config): Promise<readonly Finding[]> {
  let file: CatalogFile;
  try {
    ({ file } = readCatalogFile(config));
  } catch (thrown) {
    const lines = thrown instanceof CatalogError ? thrown.message : describeStartFailure(thrown);
    return lines.split("\n").map((line) => error("catalog", line));
  }
  return checkProviders(file, config);
}
