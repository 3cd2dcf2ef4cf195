// What the functions of this package need besides the database: opened once, passed to each of them.

import { type AccountContext, openResolver, type ResolveTxt } from "@turnpike/accounts";
import type { Sealer } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import {
  openPasswordHasher,
  type PasswordCost,
  type PasswordHasher,
} from "./password/password-hasher.ts";
import { openProviders, type Providers } from "./provider/open-providers.ts";
import type { ProviderSettings } from "./provider/provider.ts";
import { type FindPlace, findNoPlace } from "./session/find-place.ts";
import { openSessions, type Sessions } from "./session/session.ts";
import { type ThrottleLimits, throttleLimits } from "./throttle/throttle-limits.ts";

export type AuthOptions = {
  /** The base URL of links in mails, without a trailing slash; https makes cookies secure. */
  readonly publicUrl: string;
  readonly productName: string;
  readonly passwordCharsMin: number;
  /** Seals the secrets of authenticator apps; undefined turns them off. */
  readonly sealer: Sealer | undefined;
  readonly throttles?: ThrottleLimits;
  /** Default none. */
  readonly providers?: readonly ProviderSettings[];
  /** Default: by the name servers of the system. */
  readonly resolveTxt?: ResolveTxt;
  /** Default: no place is known. */
  readonly findPlace?: FindPlace;
  /** Default 7 days. */
  readonly sessionIdleMs?: number;
  /** Default 30 days. */
  readonly sessionAbsoluteMs?: number;
  /** Answers that must not reveal whether an address is known take at least this long. */
  readonly answerFloorMs?: number;
  /** Default: that of `openPasswordHasher`. */
  readonly passwordCost?: PasswordCost | undefined;
};

export type Auth = AccountContext & {
  readonly productName: string;
  readonly passwordCharsMin: number;
  readonly sealer: Sealer | undefined;
  readonly throttles: ThrottleLimits;
  readonly answerFloorMs: number;
  readonly passwords: PasswordHasher;
  readonly sessions: Sessions;
  readonly providers: Providers;
  readonly findPlace: FindPlace;
};

/** The browser that asks, as far as it is known. */
export type Caller = {
  readonly address: string;
  readonly userAgent: string;
  /** The Cookie header. */
  readonly cookies: string | null;
};

const dayMs = 86_400_000;

export function openAuth(db: Db, options: AuthOptions): Auth {
  return {
    publicUrl: options.publicUrl,
    productName: options.productName,
    passwordCharsMin: options.passwordCharsMin,
    sealer: options.sealer,
    throttles: options.throttles ?? throttleLimits,
    answerFloorMs: options.answerFloorMs ?? 150,
    passwords: openPasswordHasher(undefined, options.passwordCost),
    providers: openProviders(options.providers ?? []),
    resolveTxt: options.resolveTxt ?? openResolver([]),
    findPlace: options.findPlace ?? findNoPlace,
    sessions: openSessions(db, {
      secure: options.publicUrl.startsWith("https:"),
      idleMs: options.sessionIdleMs ?? 7 * dayMs,
      absoluteMs: options.sessionAbsoluteMs ?? 30 * dayMs,
    }),
  };
}
