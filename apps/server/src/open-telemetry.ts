// What tells operators about this process: its log with the secrets it hides, its metrics and, where it is configured,
// the traces of calls.
import { createLog, createMetrics, openTracing, SecretList } from "@turnpike/telemetry";
import type { Config } from "./config.ts";
import { stripeSecretsOf } from "./create-billing.ts";
import { sealingKeysOf } from "./sealer-of.ts";

/** `openCatalog` adds the keys of providers to the secrets before it uses them. */
export async function openTelemetry(
  config: Config,
  { worker }: { readonly worker?: number | undefined },
) {
  const clientSecrets = config.signInProviders.map(({ clientSecret }) => clientSecret);
  const own = [...stripeSecretsOf(config), ...sealingKeysOf(config)];
  const secrets = new SecretList([...own, ...clientSecrets]);
  const metrics = createMetrics(worker);
  const settings = readTracingSettings(config);
  secrets.add(Object.values(settings?.headers ?? {}));
  const tracing = settings && (await openTracing(settings));
  return {
    log: createLog({ level: config.LOG_LEVEL, name: "turnpike", secrets, worker }),
    secrets,
    metrics,
    tracing,
    async close() {
      metrics.close();
      await tracing?.close();
    },
  };
}

type Settings = Parameters<typeof openTracing>[0];

/** Whether and how calls are traced, from the variables that OpenTelemetry has for it; undefined without an endpoint. */
export function readTracingSettings(config: Config): Settings | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = config;
  if (endpoint === undefined) return undefined;
  return {
    endpoint,
    headers: parseHeaders(config.OTEL_EXPORTER_OTLP_HEADERS ?? ""),
    serviceName: config.OTEL_SERVICE_NAME,
    sampler: config.OTEL_TRACES_SAMPLER,
    ratio: config.OTEL_TRACES_SAMPLER_ARG,
  };
}

/** `name=value`, separated by commas; values may be percent-encoded. */
function parseHeaders(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(",").filter((pair) => pair.includes("="));
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = "", ...value] = pair.split("=");
      return [name.trim(), decode(value.join("=").trim())];
    }),
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
