// What the functions of this package need besides the database: opened once, passed to each.

import { Fault, type Sealer } from "@turnpike/base";
import type { Log } from "@turnpike/telemetry";

/** All addresses of a host name. Rejects if there is none. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

export type Webhooks = {
  /** Undefined without SEALING_KEY: then there are no webhooks, because secrets are not stored in clear. */
  readonly sealer: Sealer | undefined;
  /** Also plain http, and private and loopback addresses: for development and tests. */
  readonly allowPrivate: boolean;
  /** Where the console is, for links in mails, without a trailing slash. */
  readonly publicUrl: string;
  readonly log: Log;
  /** Default: the resolver of the operating system. */
  readonly lookup?: Lookup;
};

/** Throws `not_found`. */
export function requireSealer({ sealer }: Pick<Webhooks, "sealer">): Sealer {
  if (sealer !== undefined) return sealer;
  throw new Fault(
    "not_found",
    "Webhooks are off: the operator of this installation has to set SEALING_KEY first.",
  );
}
