// The public address, asked as the world asks it: its name, its certificate, and whether what answers is this server,
// with the host and the address of the caller that its proxy must pass on.
import { lookup } from "node:dns/promises";
import { isInRanges } from "@turnpike/base";
import type { Config } from "../config.ts";
import { askOutside, connectOutside, type OutsideConnection, type Trust } from "./ask-outside.ts";
import { error, type Finding, messageOf, ok, warning } from "./finding.ts";

type AddressConfig = Pick<Config, "PUBLIC_URL" | "METRICS_TOKEN" | "trustedProxies" | "stripe">;

const dayMs = 86_400_000;
const renewWithinDays = 14;
/** Reserved for documentation: no caller has it. */
const forgedAddress = "192.0.2.1";

/** Everything that follows from one failure is left out. */
export async function checkAddress(
  config: AddressConfig,
  trust: Trust,
): Promise<readonly Finding[]> {
  const url = new URL(config.PUBLIC_URL);
  const dns = await checkName(url);
  if (dns.level === "error") return [dns];
  let connection: OutsideConnection;
  try {
    connection = await connectOutside(url, trust);
  } catch (thrown) {
    return [dns, describeConnection(url, thrown)];
  }
  const certificate = connection.validTo === undefined ? [] : [checkEnd(connection.validTo)];
  const host = await checkHost(url, trust);
  const takesPayments = config.stripe !== undefined && host.level === "ok";
  return [
    dns,
    ...certificate,
    host,
    ...(await checkReadiness(config, url, trust, connection)),
    await checkMetrics(url, trust),
    ...(takesPayments ? [await checkStripeRoute(url, trust)] : []),
  ];
}

async function checkName({ hostname }: URL): Promise<Finding> {
  try {
    const found = await lookup(hostname.replace(/^\[|\]$/g, ""), { all: true });
    return ok("dns", `${hostname} is ${found.map(({ address }) => address).join(", ")}.`);
  } catch (thrown) {
    return error(
      "dns",
      `${hostname} has no address (${messageOf(thrown)}); create its DNS record, or correct PUBLIC_URL.`,
    );
  }
}

function describeConnection(url: URL, thrown: unknown): Finding {
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
  const reason = `${url.host} could not be reached (${messageOf(thrown)})`;
  return /CERT|VERIFY|SSL|TLS/.test(code)
    ? error("tls", `${reason}; give the proxy a certificate for this name that clients trust.`)
    : error("connection", `${reason}; start the proxy, and open the port to it.`);
}

function checkEnd(validTo: Date): Finding {
  const days = Math.floor((validTo.getTime() - Date.now()) / dayMs);
  const until = `The certificate ends on ${validTo.toISOString().slice(0, 10)}`;
  return days < renewWithinDays
    ? warning("tls", `${until}; renew it.`)
    : ok("tls", `${until}, in ${days} days.`);
}

/** Probes are answered for any host, so a route that is not a probe is asked. */
async function checkHost(url: URL, trust: Trust): Promise<Finding> {
  const answer = await askOutside(new URL("/v1/models", url), {}, trust);
  // It needs a key, and no key is known here.
  const requestId = String(answer.headers["x-request-id"]);
  if (answer.status === 401 && requestId.startsWith("req_")) {
    return ok("host", `${url.host} is answered by Turnpike.`);
  }
  if (/does not answer to the host/.test(answer.text)) {
    return error(
      "host",
      "The proxy changes Host; let it pass Host on (nginx: proxy_set_header Host $http_host), or name the host in ALLOWED_HOSTS.",
    );
  }
  return error(
    "host",
    `/v1/models was answered with ${answer.status}, not by Turnpike; point the proxy at its port.`,
  );
}

async function checkReadiness(
  { METRICS_TOKEN, trustedProxies }: AddressConfig,
  url: URL,
  trust: Trust,
  { localAddress }: OutsideConnection,
): Promise<readonly Finding[]> {
  const [token] = METRICS_TOKEN?.split(",") ?? [];
  const headers = {
    "x-forwarded-for": forgedAddress,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const answer = await askOutside(new URL("/readyz", url), { headers }, trust);
  const [reason = ""] = answer.text.split("\n");
  const readiness =
    answer.status === 200
      ? ok("readiness", "The instance that answered is ready.")
      : error("readiness", `/readyz says ${answer.status}: ${reason}; see its log.`);
  const seen = /^you are (\S+)$/m.exec(answer.text)?.[1];
  if (seen !== undefined) return [readiness, judgeAddress(seen, localAddress, trustedProxies)];
  const hint = "Set METRICS_TOKEN here to that of the servers, to check which address they see";
  return [readiness, warning("proxy", `${hint} callers come from.`)];
}

export function judgeAddress(
  seen: string,
  localAddress: string,
  trusted: AddressConfig["trustedProxies"],
): Finding {
  const own = localAddress.replace(/^::ffff:/, "");
  if (seen === forgedAddress) {
    return error(
      "proxy",
      "Callers can invent their address: let the proxy replace X-Forwarded-For (nginx: proxy_set_header X-Forwarded-For $remote_addr), and keep TRUSTED_PROXIES to its own address.",
    );
  }
  if (seen === own) return ok("proxy", `Callers are seen with their own address, here ${seen}.`);
  if (isInRanges(seen, trusted)) {
    return error(
      "proxy",
      `Callers are seen as the proxy ${seen}; let it send X-Forwarded-For with the caller's address.`,
    );
  }
  return warning(
    "proxy",
    `This machine is seen as ${seen} and has ${own}; if no router between them explains it, add the proxy's address to TRUSTED_PROXIES.`,
  );
}

async function checkMetrics(url: URL, trust: Trust): Promise<Finding> {
  const { status } = await askOutside(new URL("/metrics", url), {}, trust);
  return status === 200
    ? error("metrics", "/metrics is public; set METRICS_TOKEN, or let the proxy answer 404.")
    : ok("metrics", "/metrics is not public.");
}

/** Without a signature: what verifies signatures refuses it with 400. */
async function checkStripeRoute(url: URL, trust: Trust): Promise<Finding> {
  const headers = { "content-type": "application/json" };
  const request = { method: "POST", headers, body: "{}" } as const;
  const { status, text } = await askOutside(new URL("/stripe/webhook", url), request, trust);
  return status === 400 && /signature/.test(text)
    ? ok("stripe webhook", "Events of Stripe reach this server, which verifies them.")
    : error(
        "stripe webhook",
        `/stripe/webhook was answered with ${status} instead of 400; let the proxy pass it on unchanged, and set STRIPE_SECRET_KEY for the servers.`,
      );
}
