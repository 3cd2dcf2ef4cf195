// Examines an installation from outside in: what a start checks, by the same functions, its public address, what it depends
// on, and its database. Leaves nothing changed, sends no mail and costs nothing.
import { findDescriptorMistakes } from "../check-descriptors.ts";
import { checkStorage } from "../check-storage.ts";
import { type Config, type ReadEnvironment, settingNames } from "../config.ts";
import { findMisspelt } from "../find-misspelt.ts";
import { readCatalogFile } from "../open-catalog.ts";
import { storageSettings } from "../read-object-storage.ts";
import type { Trust } from "./ask-outside.ts";
import { checkAddress } from "./check-address.ts";
import { checkInstalledDatabase } from "./check-installed-database.ts";
import { checkMail, checkProviders, checkStripeAccount, checkTraces } from "./check-partners.ts";
import { type Check, error, type Finding, ok, warning } from "./finding.ts";
import { repeatStartCheck, runCheck } from "./run-check.ts";

type NamedCheck = {
  readonly name: string;
  /** Without these it would find what follows from a mistake that is found already. */
  readonly needs: readonly string[];
  readonly check: Check;
};

export async function examine(
  { config, mistakes }: ReadEnvironment,
  trust: Trust = {},
): Promise<readonly Finding[]> {
  const wrong = mistakes.map((mistake) => error("settings", mistake));
  if (config === undefined) return wrong;
  const settings = [...wrong, ...findDoubts(config)];
  const broken = new Set(mistakes.map((mistake) => mistake.split(":")[0] ?? ""));
  const checks = listChecks(config, trust).filter(
    ({ needs }) => !needs.some((name) => broken.has(name)),
  );
  const found = checks.map(({ name, check }) => runCheck(name, check));
  return [
    ...(settings.length > 0 ? settings : [ok("settings", "Every setting is fit for its mode.")]),
    ...(await Promise.all(found)).flat(),
  ];
}

/** What is not a mistake for certain. */
function findDoubts(config: Config): readonly Finding[] {
  const misspelt = findMisspelt(settingNames, config.environment);
  // The limit is that of this process, and the servers may have another one.
  const descriptors = config.NODE_ENV === "production" ? findDescriptorMistakes(config) : [];
  return [...misspelt, ...descriptors].map((sentence) => warning("settings", sentence));
}

function listChecks(config: Config, trust: Trust): readonly NamedCheck[] {
  const address = config.stripe === undefined ? [] : ["PUBLIC_URL"];
  const stripe = ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", ...address];
  const traces = ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_HEADERS"];
  return [
    { name: "places", needs: [], check: () => repeatStartCheck("places", config) },
    { name: "legal", needs: [], check: () => repeatStartCheck("legal", config) },
    { name: "storage", needs: storageSettings, check: () => checkFileStorage(config) },
    { name: "address", needs: ["PUBLIC_URL"], check: () => checkAddress(config, trust) },
    { name: "mail", needs: ["SMTP_URL", "MAIL_FROM"], check: () => checkMail(config) },
    {
      name: "stripe",
      needs: stripe,
      check: () => checkStripeAccount(config.stripe, config.PUBLIC_URL),
    },
    { name: "traces", needs: traces, check: () => checkTraces(config) },
    { name: "providers", needs: [], check: () => checkCatalog(config) },
    { name: "database", needs: [], check: () => checkInstalledDatabase(config) },
  ];
}

async function checkFileStorage(config: Config): Promise<readonly Finding[]> {
  const wrong = await repeatStartCheck("storage", config);
  if (wrong.length > 0 || config.objectStorage === undefined) return wrong;
  const away = await checkStorage(config);
  const { setting } = config.objectStorage;
  return [
    away === undefined
      ? ok("storage", `${setting} can be written and read.`)
      : error("storage", away),
  ];
}

async function checkCatalog(config: Config): Promise<readonly Finding[]> {
  const wrong = await repeatStartCheck("catalog", config);
  return wrong.length > 0 ? wrong : checkProviders(readCatalogFile(config).file, config);
}
