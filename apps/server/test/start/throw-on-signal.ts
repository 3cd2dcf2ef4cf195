// The server, with a bug: on SIGUSR2 it throws where nobody catches.
process.on("SIGUSR2", () => {
  setTimeout(() => {
    throw new Error("a bug nobody thought of");
  });
});

await import("../../src/main.ts");
