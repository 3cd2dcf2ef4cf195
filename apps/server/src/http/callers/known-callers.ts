// Which secrets were valid when they were last seen, by their hashes. A caller who sends another takes from
// the share of their network before the database is asked about it: inventing secrets must not be free.

export type KnownCallers = {
  readonly has: (hash: string) => boolean;
  readonly note: (hash: string, isValid: boolean) => void;
};

const knownMax = 10_000;

export function createKnownCallers(): KnownCallers {
  /** The least recently seen first. */
  const known = new Set<string>();
  return {
    has: (hash) => known.has(hash),
    note(hash, isValid) {
      known.delete(hash);
      if (isValid) known.add(hash);
      if (known.size > knownMax) known.delete(known.values().next().value ?? hash);
    },
  };
}
