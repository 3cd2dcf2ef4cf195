// Loads the chunk of a page. After a deployment the old chunks are gone: the console then reloads once to
// get the new ones.

const storageKey = "reloaded-for-chunk";

/** Caches a success, so that a chunk is fetched once; a failure may be retried. */
export function loadOnce<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loaded: Promise<Module> | undefined;
  return () => {
    loaded ??= load().then(
      (module) => {
        forgetReload();
        return module;
      },
      (error: unknown) => {
        loaded = undefined;
        throw new ChunkError(error);
      },
    );
    return loaded;
  };
}

export class ChunkError extends Error {
  override readonly name = "ChunkError";
  constructor(cause: unknown) {
    super("A part of the console could not be loaded.", { cause });
  }
}

/** Reloads the page for a missing chunk, but never twice in a row. Returns whether it reloads. */
export function reloadForChunk(error: unknown, reload: () => void): boolean {
  if (!(error instanceof ChunkError)) return false;
  try {
    if (sessionStorage.getItem(storageKey) !== null) return false;
    sessionStorage.setItem(storageKey, "1");
  } catch {
    return false;
  }
  reload();
  return true;
}

function forgetReload(): void {
  try {
    sessionStorage.removeItem(storageKey);
  } catch {
    // Nothing was remembered.
  }
}
