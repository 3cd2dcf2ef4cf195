// Log lines never contain credentials, however they were passed in, and stay within their size.

import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { createLog, type LogOptions, SecretList } from "./log.ts";

const key = `sk-tp-${"a1B2".repeat(12)}x`;

/** Every write to it fails with ENOSPC. */
const full = "/dev/full";
if (!existsSync(full)) console.log("skip: there is no /dev/full here");

function capture(options: Partial<LogOptions> = {}) {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  return { lines, log: createLog({ level: "info", name: "test", destination, ...options }) };
}

describe("createLog", () => {
  test("a line is one JSON object with level, time, name, message and fields", () => {
    const { lines, log } = capture();
    log.info({ requestId: "req_1", costNanos: 12n }, "served");
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      level: "info",
      name: "test",
      msg: "served",
      requestId: "req_1",
      costNanos: "12",
    });
  });

  test("a key is hidden in a message, a field, a child binding, a nested value and an error", () => {
    const { lines, log } = capture();
    log.info(`used ${key}`);
    log.info({ header: `Bearer ${key}` }, "field");
    log.child({ presented: key }).info("binding");
    log.info({ a: { b: [{ c: key }] } }, "nested");
    log.error(new Error(`bad key ${key}`), "error");
    log.error({ err: new Error("outer", { cause: new Error(key) }) }, "cause");
    expect(lines).toHaveLength(6);
    for (const line of lines) expect(line).not.toContain(key);
    expect(lines[0]).toContain("sk-tp-[redacted]");
  });

  test("fields named like credentials are emptied at any depth, also as lists and bindings", () => {
    const { lines, log } = capture();
    log.info({
      headers: { Authorization: "hunter2-a", cookie: ["hunter2-b"], "x-api-key": "hunter2-c" },
      password: "hunter2-d",
      apiKey: 'hunter2-"e',
    });
    log.child({ password: 'hunter2-"f' }).info("binding");
    for (const line of lines) {
      expect(line).not.toContain("hunter2");
      expect(() => JSON.parse(line)).not.toThrow();
    }
  });

  test("provider keys are hidden by value and by shape, passwords of URLs too", () => {
    const secrets = new SecretList(["plain-provider-value", "short"]);
    const { lines, log } = capture({ secrets });
    log.info("sent plain-provider-value");
    log.info("sent gsk_0123456789abcdefghij and sk-proj-0123456789abcdefghij");
    log.info("to postgres://owner:hunter2@db.example/turnpike in a short time");
    expect(lines[0]).toContain("sent [redacted]");
    expect(lines[1]).toContain("sent [redacted] and [redacted]");
    expect(lines[2]).toContain("postgres://owner:[redacted]@db.example/turnpike in a short time");
  });

  test("a value that is added while the log is open is hidden from then on, beside earlier ones", () => {
    const secrets = new SecretList(["the-first-value"]);
    const { lines, log } = capture({ secrets });
    const child = log.child({ part: "one" });
    secrets.add(["the-second-value"]);
    child.info("sent the-first-value and the-second-value");
    expect(lines[0]).toContain("sent [redacted] and [redacted]");
  });

  test("the parameters of a failed query stay out", () => {
    const { lines, log } = capture();
    const error = new Error("Failed query: select 1\nparams: ada@example.com,\nsecond line");
    log.error({ err: Object.assign(error, { parameters: ["ada@example.com"] }) }, "query");
    expect(lines[0]).not.toContain("ada@example.com");
    expect(lines[0]).not.toContain("second line");
    expect(lines[0]).toContain("Failed query: select 1");
  });

  test("fields and messages are capped at 2 KB and a line at 16 KB", () => {
    const { lines, log } = capture();
    log.info({ prompt: "p".repeat(5000) }, "m".repeat(5000));
    log.info(Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`f${n}`, "x".repeat(2000)])));
    const first = JSON.parse(lines[0] ?? "");
    expect(first.prompt.length).toBeLessThan(2100);
    expect(first.msg.length).toBeLessThan(2100);
    expect((lines[1] ?? "").length).toBeLessThan(16_400);
    expect(JSON.parse(lines[1] ?? "").droppedChars).toBeGreaterThan(16_384);
  });

  test("a value that refers to itself is cut off, not followed", () => {
    const { lines, log } = capture();
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    log.info({ loop }, "loop");
    expect(lines[0]).toContain("[deep]");
  });

  test("a process exits even if the reader of its log has closed the pipe", async () => {
    const script = `import { createLog, SecretList } from "${import.meta.dir}/log.ts";
      const log = createLog({ level: "info", name: "child" });
      log.info("first line");
      process.stdin.once("data", () => {
        log.fatal("nobody reads this line");
        log.info("nor this one");
        process.exit(0);
      });`;
    const reader = "{ head -n 1 > /dev/null; exec < /dev/null; echo gone >&2; }";
    const pipeline = `("$0" -e "$1"; echo "exit $?" >&2) | ${reader}`;
    const shell = Bun.spawn(["/bin/sh", "-c", pipeline, process.execPath, script], {
      stdin: "pipe",
      stderr: "pipe",
    });
    let printed = "";
    for await (const chunk of shell.stderr) {
      printed += Buffer.from(chunk).toString();
      if (printed === "gone\n") {
        shell.stdin.write("end\n");
        await shell.stdin.flush();
      }
    }
    expect(printed).toBe("gone\nexit 0\n");
  });

  test.skipIf(!existsSync(full))(
    "FX7: a process whose log has no room on its disk continues",
    async () => {
      const script = `import { createLog } from "${import.meta.dir}/log.ts";
      const log = createLog({ level: "info", name: "child" });
      for (let line = 0; line < 200; line += 1) {
        log.info({ text: "x".repeat(1_000) }, "lost");
        if (line % 50 === 0) await Bun.sleep(60);
      }
      log.fatal("lost as well");
      console.error("still running");
      process.exit(0);`;
      const child = Bun.spawn([process.execPath, "-e", script], {
        stdout: Bun.file(full),
        stderr: "pipe",
      });
      expect(await new Response(child.stderr).text()).toBe("still running\n");
      expect(await child.exited).toBe(0);
    },
  );

  test("a process that exits right after logging has written its line to stdout", async () => {
    const script = `import { createLog, SecretList } from "${import.meta.dir}/log.ts";
      createLog({ level: "info", name: "child" }).info("last words"); process.exit(0);`;
    const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" });
    const output = await new Response(child.stdout).text();
    expect(JSON.parse(output).msg).toBe("last words");
  });
});
