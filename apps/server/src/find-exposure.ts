// The production checks that keep a protection from being configured away: limits by address have no
// effect if every client is a trusted proxy, or if they are scaled to almost nothing.
import { type AddressRange, countAddresses } from "@turnpike/base";

/** All private networks of IPv4 together are smaller; so are those of every content delivery network. */
const trustedV4Max = 2n ** 26n;
/** `fc00::/7`, the private networks of IPv6, and half as much again. */
const trustedV6Max = 3n * 2n ** 120n;
const throttleScale = { min: 0.1, max: 10 } as const;

export type ExposureSettings = {
  readonly SANDBOX: boolean;
  readonly THROTTLE_SCALE: number;
  readonly trustedProxies: readonly AddressRange[];
};

/** One line for each setting that production refuses. */
export function findExposure(settings: ExposureSettings): readonly string[] {
  const mistakes: string[] = [];
  if (settings.SANDBOX) {
    mistakes.push("SANDBOX: shows every mail and gives money away; unset it.");
  }
  const { v4, v6 } = countAddresses(settings.trustedProxies);
  if (v4 > trustedV4Max || v6 > trustedV6Max) {
    mistakes.push(
      "TRUSTED_PROXIES: covers so many addresses that clients can invent their own; name only the networks of your proxies.",
    );
  }
  const { THROTTLE_SCALE: scale } = settings;
  if (scale < throttleScale.min || scale > throttleScale.max) {
    mistakes.push(
      `THROTTLE_SCALE: must be from ${throttleScale.min} to ${throttleScale.max} in production.`,
    );
  }
  return mistakes;
}
