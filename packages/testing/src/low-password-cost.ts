// What hashing a password takes in tests that are not about it: microseconds instead of 20 ms of a core.

export const lowPasswordCost = { memoryKib: 8, passes: 1 } as const;
