// The server with a bug: each SIGUSR2 makes it throw an uncaught exception, SIGURG leaves a rejection unhandled,
// and SIGWINCH blocks the event loop for two seconds.
import { writeSync } from "node:fs";

const fail = () => {
  throw new Error("an unforeseen bug");
};
process.on("SIGUSR2", () => {
  setTimeout(fail);
  setTimeout(fail, 20);
});
process.on("SIGURG", () => {
  void Promise.reject(new Error("an unforeseen bug"));
});
process.on("SIGWINCH", () => {
  writeSync(1, '{"msg":"blocked"}\n');
  Bun.sleepSync(2_000);
});

await import("../../src/main.ts");
