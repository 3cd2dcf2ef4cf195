// The cache key under which everything about API keys is stored.
export const keysQueryKey = ["keys"] as const;
