// Under which key of the cache everything about API keys lies.
export const keysQueryKey = ["keys"] as const;
