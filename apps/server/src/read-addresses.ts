// Lists of addresses in the environment, separated by commas. What cannot be read is reported as a mistake of its
// variable, and the rest is used.
import { type AddressRange, parseAddressRange } from "@turnpike/base";
import { parseHost } from "./http/allowed-hosts.ts";

export function readList(text: string): string[] {
  const entries = text.split(",").map((entry) => entry.trim());
  return entries.filter((entry) => entry !== "");
}

export function readHosts(text: string, mistakes: string[]): string[] {
  return readList(text).flatMap((entry) => {
    const host = parseHost(entry);
    if (host === undefined) {
      mistakes.push(`ALLOWED_HOSTS: ${entry} is not a host; write names such as api.example.com.`);
    }
    return host ?? [];
  });
}

export function readRanges(text: string, mistakes: string[]): AddressRange[] {
  return readList(text).flatMap((entry) => {
    const range = parseAddressRange(entry);
    if (range === undefined) {
      mistakes.push(`TRUSTED_PROXIES: ${entry} is neither an address nor a network.`);
    }
    return range ?? [];
  });
}
