// Preloaded into the measured processes: memory is compared after a full collection, so that only
// what streams keep is counted, not garbage that is not collected yet.
process.on("SIGUSR2", () => Bun.gc(true));

export {};
