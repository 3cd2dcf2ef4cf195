// The slices of this process, by the limit that they are of, and which of them count a caller's calls. What is idle
// is forgotten from time to time: a new slice would be the same.
import type { AccountId, ApiKeyId } from "@turnpike/base";
import type { RateLimits, SharedLimits } from "@turnpike/keys";
import type { InstanceShare, RateDimension } from "@turnpike/ledger";
import { RateSlice, type SliceOwner } from "./rate-slice.ts";

/** Whose request it is; without a key for the console's playground. */
export type LimitedCaller = {
  readonly accountId: AccountId;
  readonly keyId: ApiKeyId | null;
  readonly limits: RateLimits;
  readonly shared?: SharedLimits;
};

/** Concurrent requests. */
export type RunningBounds = {
  /** Over all instances. */
  readonly perAccount: number;
  /** Over all instances, for a key whose owner set no number. */
  readonly perKey: number;
  /** Of memory for request bodies, in this process. */
  readonly bodyMebibytes?: number;
};

/** The slices of one caller, in the order in which they refuse, as long as its limits are the same. */
export type CallerSlices = {
  readonly limits: RateLimits;
  readonly shared: SharedLimits | undefined;
  readonly slices: readonly RateSlice[];
  /** Whether some of them are of requests or tokens per minute. */
  readonly hasRates: boolean;
};

const defaultBounds: RunningBounds = { perAccount: 100, perKey: 50 };
const forgetAtSize = 10_000;
const forgetEveryMs = 10_000;

const settings = [
  ["concurrency", "concurrency"],
  ["requests", "requestsPerMinute"],
  ["tokens", "tokensPerMinute"],
] as const satisfies readonly (readonly [RateDimension, keyof RateLimits])[];

export class SliceBook {
  readonly #callers = new Map<string, CallerSlices>();
  readonly #slices = new Map<string, RateSlice>();
  readonly #bounds: RunningBounds;
  readonly #share: () => InstanceShare;
  #forgotAtMs = Number.NEGATIVE_INFINITY;

  constructor(bounds: Partial<RunningBounds>, share: () => InstanceShare) {
    this.#bounds = { ...defaultBounds, ...bounds };
    this.#share = share;
  }

  /** Callers that are remembered. */
  get size(): number {
    return this.#callers.size;
  }

  all(): Iterable<RateSlice> {
    return this.#slices.values();
  }

  of(caller: LimitedCaller, nowMs: number): CallerSlices {
    const id = caller.keyId ?? caller.accountId;
    const known = this.#callers.get(id);
    if (known?.limits === caller.limits && known.shared === caller.shared) return known;
    this.#forgetIdle(nowMs);
    const slices = this.#findSlices(caller, nowMs);
    const hasRates = slices.some(({ owner }) => owner.dimension !== "concurrency");
    const made = { limits: caller.limits, shared: caller.shared, slices, hasRates };
    this.#callers.set(id, made);
    return made;
  }

  /** The concurrent requests of a key and of its account: what the owner and the operator set. */
  concurrency({ limits, shared }: Pick<LimitedCaller, "limits" | "shared">): {
    readonly ofKey: number;
    readonly ofAccount: number;
  } {
    const { perAccount, perKey } = this.#bounds;
    const ofAccount = Math.min(perAccount, shared?.account.concurrency ?? perAccount);
    return { ofKey: limits.concurrency ?? perKey, ofAccount };
  }

  /** The limits of the key first, then of its project, then of its account. */
  #findSlices(caller: LimitedCaller, nowMs: number): RateSlice[] {
    const { accountId, keyId, limits, shared } = caller;
    const { ofKey, ofAccount } = this.concurrency(caller);
    const slices: RateSlice[] = [];
    const add = (owner: Omit<SliceOwner, "dimension">, of: RateLimits) => {
      for (const [dimension, setting] of settings) {
        const limit = of[setting];
        if (limit !== undefined) slices.push(this.#find({ ...owner, dimension }, limit, nowMs));
      }
    };
    if (keyId !== null) {
      add({ kind: "key", accountId, subjectId: keyId }, { ...limits, concurrency: ofKey });
    }
    if (shared !== undefined) {
      add({ kind: "project", accountId, subjectId: shared.projectId }, shared.project);
    }
    const account = { ...shared?.account, concurrency: ofAccount };
    add({ kind: "account", accountId, subjectId: accountId }, account);
    return slices;
  }

  #find(owner: SliceOwner, limit: number, nowMs: number): RateSlice {
    const name = `${owner.kind} ${owner.subjectId} ${owner.dimension}`;
    const known = this.#slices.get(name);
    if (known !== undefined) {
      known.setLimit(limit, this.#share(), nowMs);
      return known;
    }
    const slice = new RateSlice(owner, limit, this.#share(), nowMs);
    this.#slices.set(name, slice);
    return slice;
  }

  #forgetIdle(nowMs: number): void {
    if (this.#callers.size < forgetAtSize || nowMs - this.#forgotAtMs < forgetEveryMs) return;
    this.#forgotAtMs = nowMs;
    const needed = new Set<RateSlice>();
    for (const [id, { slices }] of this.#callers) {
      if (slices.every((slice) => slice.isIdle(nowMs))) this.#callers.delete(id);
      else for (const slice of slices) needed.add(slice);
    }
    for (const [name, slice] of this.#slices) {
      if (!needed.has(slice) && slice.isIdle(nowMs)) this.#slices.delete(name);
    }
  }
}
