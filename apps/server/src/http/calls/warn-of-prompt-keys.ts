// Warns the owners of keys that are sent in prompts: anyone who sends one, and the provider, can use it. The request pays
// for one search of its text; everything else happens after its answer, and its failure concerns nobody.

import type { Db } from "@turnpike/db";
import { findKeyTexts, reportLeakedKeys } from "@turnpike/keys";
import type { Log } from "@turnpike/telemetry";
import type { Config } from "../../config.ts";

/** Of one request. */
const keysMax = 5;
/** A conversation sends its text again with every turn. */
const rememberedMax = 10_000;
/** Requests whose keys wait; what comes beyond is not looked at. */
const waitingMax = 100;

export type PromptKeys = {
  /** Undefined, nearly always. */
  readonly find: (text: string) => ReadonlySet<string> | undefined;
  /** Once `answered` has settled; `own` is the key of the request itself. */
  readonly warnAfter: (
    answered: Promise<unknown> | undefined,
    found: ReadonlySet<string>,
    own: string | undefined,
  ) => void;
  /** Resolves when everyone was warned who is to be. */
  readonly settled: () => Promise<void>;
};

export function createPromptKeys({
  config,
  log,
  api,
}: {
  readonly config: Pick<Config, "PUBLIC_URL">;
  readonly log: Log;
  readonly api: { readonly db: Db };
}): PromptKeys {
  const seen = new Set<string>();
  const waiting = new Set<Promise<void>>();
  const isNew = (text: string): boolean => {
    const hash = Bun.SHA256.hash(text, "hex");
    if (seen.has(hash)) return false;
    if (seen.size >= rememberedMax) seen.clear();
    seen.add(hash);
    return true;
  };
  /** One after the other: each takes a connection of the console. */
  let last: Promise<void> = Promise.resolve();
  const warn = async (found: readonly string[]): Promise<void> => {
    const reports = found.map(
      (text) => ({ text, foundAt: null, seenIn: "prompt", address: "" }) as const,
    );
    try {
      await reportLeakedKeys(api.db, { publicUrl: config.PUBLIC_URL }, reports);
    } catch (thrown) {
      log.warn({ err: thrown }, "the owner of a key in a prompt was not warned");
    }
  };
  return {
    find: (text) => findKeyTexts(text, keysMax),
    warnAfter(answered, found, own) {
      const fresh = [...found].filter((text) => text !== own && isNew(text));
      if (fresh.length === 0 || waiting.size >= waitingMax) return;
      const before = last;
      const warned = Promise.allSettled([answered, before]).then(() => warn(fresh));
      last = warned;
      waiting.add(warned);
      void warned.then(() => waiting.delete(warned));
    },
    async settled() {
      while (waiting.size > 0) await Promise.all(waiting);
    },
  };
}
