// Lists of addresses in the environment, separated by commas. What cannot be read is reported as a mistake of its
// variable, and the rest is used.
import { isIP } from "node:net";
import { type AddressRange, parseAddressRange } from "@turnpike/base";
import { parseHost } from "./http/requests/allowed-hosts.ts";

export function parseList(text: string): string[] {
  const entries = text.split(",").map((entry) => entry.trim());
  return entries.filter((entry) => entry !== "");
}

export function parseHosts(text: string, mistakes: string[]): string[] {
  return parseList(text).flatMap((entry) => {
    const host = parseHost(entry);
    if (host === undefined) {
      mistakes.push(`ALLOWED_HOSTS: ${entry} is not a host; write names such as api.example.com.`);
    }
    return host ?? [];
  });
}

/** Name servers: `192.0.2.53`, `192.0.2.53:5353`, `[2001:db8::53]:53`. */
export function parseServers(text: string, mistakes: string[]): string[] {
  return parseList(text).filter((entry) => {
    const [, bracketed, plain = entry] = /^(?:\[(.+)\]|([\d.]+))(?::\d{1,5})?$/.exec(entry) ?? [];
    if (isIP(bracketed ?? plain) !== 0) return true;
    mistakes.push(`DNS_SERVERS: ${entry} is not an address, with or without a port.`);
    return false;
  });
}

export function parseRanges(text: string, mistakes: string[]): AddressRange[] {
  return parseList(text).flatMap((entry) => {
    const range = parseAddressRange(entry);
    if (range === undefined) {
      mistakes.push(`TRUSTED_PROXIES: ${entry} is neither an address nor a network.`);
    }
    return range ?? [];
  });
}

/** Who mails come from if MAIL_FROM is not set: nobody reads answers to it. */
export function defaultSender(productName: string, publicUrl: string): string {
  return `${productName.replace(/[<>"\r\n]/g, "")} <no-reply@${new URL(publicUrl).hostname}>`;
}
