// What ends a supervised program, and that nothing it started stays.
import { expect, test } from "bun:test";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readProcess } from "./read-process.ts";
import { type StopTimes, startSupervised } from "./start-supervised.ts";

/** Far more than a shell needs that obeys: only what a test shortens ever passes. */
const patient: StopTimes = { firstMs: 60_000, secondMs: 60_000, lastResortMs: 150_000 };

/** A shell that says its id and that of its child as soon as it handles signals. */
function startShell(traps: string, times: Partial<StopTimes> = {}) {
  const script = `${traps} sleep 600 & echo $$ $!; while :; do wait; done`;
  return startSupervised(["sh", "-c", script], "pipe", {}, { ...patient, ...times });
}

async function readIds(running: ReturnType<typeof startShell>): Promise<readonly number[]> {
  const [line] = running.child.stdout ? await once(running.child.stdout, "data") : [];
  return String(line).trim().split(" ").map(Number);
}

async function untilGone(pids: readonly number[]): Promise<void> {
  while (pids.some((pid) => readProcess(pid) !== undefined)) await Bun.sleep(20);
}

test("it is asked to stop once, and what it started ends with it", async () => {
  const running = startShell('trap "exit 3" INT; trap "exit 4" QUIT TERM HUP;');
  const pids = await readIds(running);
  await running.stop();
  expect(await running.exited).toBe(3);
  await running.stop();
  await untilGone(pids);
});

test("a program that ignores the first request gets a second one", async () => {
  const running = startShell('trap "" INT; trap "exit 4" QUIT;', { firstMs: 100 });
  const pids = await readIds(running);
  await running.stop();
  expect(await running.exited).toBe(4);
  await untilGone(pids);
});

test("a program that ignores both is killed", async () => {
  const running = startShell('trap "" INT QUIT;', { firstMs: 100, secondMs: 100 });
  const pids = await readIds(running);
  await running.stop();
  expect(await running.exited).toBe("SIGKILL");
  await untilGone(pids);
});

test("it stops even if the shell that watches over it was killed", async () => {
  const running = startShell("", { lastResortMs: 100 });
  const [pid = Number.NaN, child = Number.NaN] = await readIds(running);
  const list = `/proc/${pid}/task/${pid}/children`;
  if (existsSync(list)) {
    const [watcher = ""] = readFileSync(list, "utf8").replace(String(child), "").trim().split(" ");
    process.kill(Number.parseInt(watcher, 10), "SIGKILL");
  } else console.log("skip: only Linux lists the children of a process");
  await running.stop();
  await untilGone([pid]);
  if (readProcess(child)) process.kill(child, "SIGKILL");
});

test("it ends when the process that started it is killed", async () => {
  const module = JSON.stringify(join(import.meta.dirname, "start-supervised.ts"));
  const code = `const { startSupervised } = await import(${module});
    startSupervised(["sh", "-c", "echo $$; exec sleep 600"], "inherit", {});`;
  const parent = Bun.spawn([process.execPath, "-e", code], { stdout: "pipe" });
  const { value } = await parent.stdout.getReader().read();
  parent.kill("SIGKILL");
  await untilGone([Number(new TextDecoder().decode(value))]);
});

test("the exit code of a program that ends on its own is known, also if it does not exist", async () => {
  const codes = [["sh", "-c", "exit 7"], ["no-such-program"]].map(
    (command) => startSupervised(command, "pipe", {}).exited,
  );
  expect(await Promise.all(codes)).toEqual([7, 127]);
});
