// What this installation depends on outside: the mail server, Stripe and the providers of the catalog, each asked in
// a way that costs nothing and sends nothing to anybody.
import { checkStripe, type StripeOptions } from "@turnpike/billing";
import type { CatalogFile } from "@turnpike/catalog";
import { openMailer } from "@turnpike/mail";
import { type Provider, tryCredential } from "@turnpike/providers";
import { tryTracing } from "@turnpike/telemetry";
import type { Config } from "../config.ts";
import { readTracingSettings } from "../open-telemetry.ts";
import { error, type Finding, messageOf, ok, warning } from "./finding.ts";

export async function checkMail({
  SMTP_URL,
  MAIL_FROM,
}: Pick<Config, "SMTP_URL" | "MAIL_FROM">): Promise<readonly Finding[]> {
  if (SMTP_URL === undefined) {
    return [warning("mail", "SMTP_URL is not set, so no mail is sent; nobody can register.")];
  }
  const { host } = new URL(SMTP_URL);
  const mailer = openMailer({ url: SMTP_URL, from: MAIL_FROM });
  try {
    await mailer.verify();
    return [ok("mail", `${host} accepts the connection and the login.`)];
  } catch (thrown) {
    return [error("mail", `${host} refuses (${messageOf(thrown)}); correct SMTP_URL.`)];
  } finally {
    mailer.close();
  }
}

/** Nothing where calls are not traced. */
export async function checkTraces(config: Config): Promise<readonly Finding[]> {
  const settings = readTracingSettings(config);
  if (settings === undefined) return [];
  const { host } = new URL(settings.endpoint);
  try {
    await tryTracing(settings);
    return [ok("traces", `${host} takes them.`)];
  } catch (thrown) {
    const advice = "start the collector, or correct it and OTEL_EXPORTER_OTLP_HEADERS";
    return [
      error(
        "traces",
        `OTEL_EXPORTER_OTLP_ENDPOINT: ${host} takes no traces (${messageOf(thrown)}); ${advice}.`,
      ),
    ];
  }
}

/** `stripe` is absent where no money is taken. */
export async function checkStripeAccount(
  stripe: StripeOptions | undefined,
  publicUrl: string,
): Promise<readonly Finding[]> {
  if (stripe === undefined) {
    return [warning("stripe", "STRIPE_SECRET_KEY is not set, so nobody can add funds.")];
  }
  const url = `${publicUrl}/stripe/webhook`;
  const { key, endpoint, missing } = await checkStripe(stripe, url);
  if (key !== "accepted") {
    return [error("stripe", `Stripe does not accept STRIPE_SECRET_KEY (${key}); replace it.`)];
  }
  if (endpoint === "unknown") {
    return [warning("stripe", "The key may not list webhook endpoints; look there yourself.")];
  }
  if (endpoint === "absent") {
    return [error("stripe", `Stripe sends no events to ${url}; create that webhook endpoint.`)];
  }
  if (endpoint === "disabled") {
    return [error("stripe", `The webhook endpoint ${url} is disabled at Stripe; enable it.`)];
  }
  if (missing.length > 0) {
    const names = missing.join(", ");
    return [error("stripe", `The webhook endpoint does not send ${names}; add these events.`)];
  }
  return [ok("stripe", "The key is accepted, and Stripe sends every event that is needed.")];
}

type Offered = Pick<CatalogFile, "models" | "hidden" | "hiddenRoutes">;

/** One free call for each provider that a model of the catalog uses. */
export async function checkProviders(
  { models, hidden, hiddenRoutes }: Offered,
  { ALLOW_PRIVATE_UPSTREAMS }: Pick<Config, "ALLOW_PRIVATE_UPSTREAMS">,
): Promise<readonly Finding[]> {
  const routes = models.flatMap((model) => model.routes);
  const providers = new Map(routes.map(({ provider }) => [provider.id, provider]));
  const options = { allowPrivate: ALLOW_PRIVATE_UPSTREAMS };
  const tried = [...providers.values()].map((provider) => describeProvider(provider, options));
  const reasons = [...new Set([...hidden, ...hiddenRoutes].map(({ reason }) => reason))];
  const missing = reasons.map((reason) =>
    warning("providers", `Models or routes are not offered: ${reason}.`),
  );
  if (models.length > 0) return [...(await Promise.all(tried)), ...missing];
  return [error("providers", "No model is offered; set the key of a provider."), ...missing];
}

async function describeProvider(
  provider: Provider,
  options: { readonly allowPrivate: boolean },
): Promise<Finding> {
  const check = `provider ${provider.id}`;
  const { result, detail } = await tryCredential(provider, options);
  if (result === "accepted") return ok(check, "It accepts the key.");
  if (result === "refused") return error(check, `It refuses the key (${detail}); replace it.`);
  if (result === "untried") return warning(check, `Not tried: ${detail}.`);
  return error(check, `It could not be asked (${detail}); check its address and the firewall.`);
}
