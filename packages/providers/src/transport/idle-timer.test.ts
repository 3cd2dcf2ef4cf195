// How long an upstream may be silent is decided by the deadlines of a call only.
import { expect, test } from "bun:test";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(import.meta.resolve("./outlast-silence.fixture.ts"));

test("the runtime's own idle timer does not end a call whose upstream is silent for longer", async () => {
  const running = Bun.spawn([process.execPath, program], {
    env: { ...process.env, BUN_CONFIG_HTTP_IDLE_TIMEOUT: "1" },
    stdout: "pipe",
  });
  expect(await new Response(running.stdout).json()).toEqual({
    plain: "TimeoutError",
    ours: "answered",
  });
}, 120_000);
