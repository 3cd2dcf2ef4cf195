// The script of the company still runs: a small one, for a few days.
import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";

setDefaultTimeout(300_000);

test("a company is hired, limited, let go and accounted for by the management API alone", async () => {
  const script = join(import.meta.dir, "../company.ts");
  const running = Bun.spawn([process.execPath, script, "--people", "8", "--days", "3"], {
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([
    new Response(running.stdout).text(),
    new Response(running.stderr).text(),
    running.exited,
  ]);
  expect([code, out, err]).toEqual([0, expect.stringContaining("Everything adds up."), ""]);
});

test("options that make no company are refused", async () => {
  const script = join(import.meta.dir, "../company.ts");
  const running = Bun.spawn([process.execPath, script, "--people", "2"], { stderr: "pipe" });
  expect(await running.exited).toBe(2);
  expect(await new Response(running.stderr).text()).toContain("--people");
});
