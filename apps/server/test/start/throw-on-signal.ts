// The server with a bug: each SIGUSR2 makes it throw an uncaught exception.
const fail = () => {
  throw new Error("an unforeseen bug");
};
process.on("SIGUSR2", () => {
  setTimeout(fail);
  setTimeout(fail, 20);
});

await import("../../src/main.ts");
