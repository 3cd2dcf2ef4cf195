// Decides where a message may go: to https addresses of the internet. A name is resolved once, every address it has
// must be public, and the connection goes to one of these addresses: a name that resolves differently a moment
// later (DNS rebinding) changes nothing.

import { lookup as resolve } from "node:dns/promises";
import { isIP } from "node:net";
import { Fault, isPrivateHost } from "@turnpike/base";
import type { Lookup, Webhooks } from "./webhooks.ts";

type TargetRules = Pick<Webhooks, "allowPrivate" | "lookup">;

export type Target = {
  readonly url: URL;
  /** All that the host has; the connection goes to one of them. */
  readonly addresses: readonly string[];
};

const urlCharsMax = 1_000;

/** Why nothing may be sent there, in words for the owner of the endpoint. */
export class RefusedTarget extends Error {
  override readonly name = "RefusedTarget";
}

/** Rejects with RefusedTarget. */
export async function findTarget(text: string, rules: TargetRules): Promise<Target> {
  const url = parseUrl(text, rules.allowPrivate);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0) return { url, addresses: [host] };
  const addresses = await resolveAll(host, rules.lookup ?? resolveBySystem);
  const hidden = addresses.find((address) => isPrivateHost(address));
  if (hidden !== undefined && !rules.allowPrivate) {
    throw new RefusedTarget(`${host} resolves to ${hidden}, which is not a public address.`);
  }
  return { url, addresses };
}

/** The URL as it is stored. Throws `invalid_value` for what no message would be sent to. */
export async function checkWebhookUrl(text: string, rules: TargetRules): Promise<string> {
  try {
    const { url } = await findTarget(text.trim(), rules);
    return url.href;
  } catch (error) {
    if (!(error instanceof RefusedTarget)) throw error;
    throw new Fault("invalid_value", error.message, { param: "url" });
  }
}

function parseUrl(text: string, allowPrivate: boolean): URL {
  const url = text.length <= urlCharsMax ? URL.parse(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new RefusedTarget("Write a URL such as https://example.com/webhooks.");
  }
  if (url.username !== "" || url.password !== "" || url.hash !== "") {
    throw new RefusedTarget("The URL must have no user name, password or fragment (#).");
  }
  if (allowPrivate) return url;
  if (url.protocol !== "https:") throw new RefusedTarget("The URL must begin with https://.");
  if (!isPrivateHost(url.hostname)) return url;
  throw new RefusedTarget(`${url.hostname} is not on the public internet.`);
}

async function resolveAll(host: string, lookup: Lookup): Promise<readonly string[]> {
  const addresses = await lookup(host).catch(() => []);
  if (addresses.length > 0) return addresses;
  throw new RefusedTarget(`${host} has no address in the domain name system.`);
}

async function resolveBySystem(host: string): Promise<readonly string[]> {
  const found = await resolve(host, { all: true });
  return found.map(({ address }) => address);
}
