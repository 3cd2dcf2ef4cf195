// The server, with a bug: on SIGUSR2 it throws where nobody catches, and bugs come again.
const fail = () => {
  throw new Error("a bug nobody thought of");
};
process.on("SIGUSR2", () => {
  setTimeout(fail);
  setTimeout(fail, 20);
});

await import("../../src/main.ts");
