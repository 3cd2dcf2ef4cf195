// Preloaded into the measured processes: memory is compared after a full collection, so that what is
// counted is what streams keep and not what the collector has not got round to.
process.on("SIGUSR2", () => Bun.gc(true));

export {};
