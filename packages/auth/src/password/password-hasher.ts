// Hashes and verifies passwords, a few at a time and with a bounded queue: argon2id takes memory and
// a core by design, and a flood of logins must not starve everything else.

import { availableParallelism } from "node:os";
import { Fault } from "@turnpike/base";
import { openPasswordThreads } from "./password-threads.ts";

/** What one hash takes. */
export type PasswordCost = {
  readonly memoryKib: number;
  readonly passes: number;
};

/** What OWASP recommends for argon2id as a minimum. */
export const defaultPasswordCost: PasswordCost = { memoryKib: 19_456, passes: 2 };

export type HasherLimits = {
  /** Concurrent hashes. */
  readonly concurrency: number;
  readonly queueMax: number;
  readonly waitMs: number;
};

/** At most half of the cores hash; the other half keeps answering `/v1`. */
export function concurrencyOn(cores: number): number {
  return Math.max(1, Math.min(4, Math.floor(cores / 2)));
}

const defaultLimits: HasherLimits = {
  concurrency: concurrencyOn(availableParallelism()),
  queueMax: 64,
  waitMs: 5_000,
};

export type Verdict = {
  readonly right: boolean;
  /** Right, but hashed with other parameters than the current ones. */
  readonly outdated: boolean;
};

export type PasswordHasher = {
  readonly hash: (password: string) => Promise<string>;
  /** Without a hash it does the same work and reports a wrong password. Throws `overloaded`. */
  readonly verify: (password: string, hash: string | null) => Promise<Verdict>;
};

/** Tests pass a low cost, except where the cost is what they are about. */
export function openPasswordHasher(
  limits: HasherLimits = defaultLimits,
  { memoryKib: memoryCost, passes: timeCost }: PasswordCost = defaultPasswordCost,
): PasswordHasher {
  const parametersNow = `$m=${memoryCost},t=${timeCost},p=1$`;
  /** Takes as much work to verify as any other hash, and matches no password. */
  const nobodysHash = `$argon2id$v=19${parametersNow}${"A".repeat(43)}$${"A".repeat(43)}`;
  const takeTurn = openSemaphore(limits);
  const threads = openPasswordThreads();
  const work = (password: string, hash?: string) =>
    threads.work({
      password: normalize(password),
      memoryCost,
      timeCost,
      ...(hash !== undefined && { hash }),
    });
  return {
    hash: (password) => takeTurn(async () => (await work(password)).hash),
    verify: (password, hash) =>
      takeTurn(async () => {
        const { matches } = await work(password, hash ?? nobodysHash);
        const right = hash !== null && matches;
        return { right, outdated: right && !hash.includes(parametersNow) };
      }),
  };
}

/** Normalizes Unicode, so that text that looks the same is the same password. */
function normalize(password: string): string {
  return password.normalize("NFC");
}

type Semaphore = <Value>(work: () => Promise<Value>) => Promise<Value>;

function openSemaphore({ concurrency, queueMax, waitMs }: HasherLimits): Semaphore {
  let running = 0;
  const queue: (() => void)[] = [];
  const wait = () =>
    new Promise<void>((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(enter), 1);
        reject(busy());
      }, waitMs);
      queue.push(enter);
    });
  return async (work) => {
    if (running >= concurrency) {
      if (queue.length >= queueMax) throw busy();
      await wait();
    } else running += 1;
    try {
      return await work();
    } finally {
      // While callers wait, the place passes to the next one instead of being freed.
      const next = queue.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

function busy(): Fault {
  return new Fault("overloaded", "Too many people are signing in. Try again in a moment.", {
    retryAfterMs: 2_000,
  });
}
