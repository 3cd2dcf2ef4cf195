import { afterAll, describe, expect, test } from "bun:test";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { spawnServer } from "./spawn-server.ts";

const folder = mkdtempSync(join(tmpdir(), "turnpike-spawn-"));
afterAll(() => rmSync(folder, { recursive: true }));

function program(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const answering = program(
  "answering.ts",
  `process.on("SIGTERM", () => { console.log("draining"); process.exit(3); });
  const server = Bun.serve({ port: Number(process.env.PORT), hostname: "127.0.0.1",
    fetch: () => new Response(process.env.GREETING ?? "") });
  console.log("not yet");
  console.log(JSON.stringify({ level: 30, msg: "listening", port: server.port }));`,
);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("a spawned server", () => {
  test("is ready when it says so, with the given environment, and has ended after kill", async () => {
    const server = await spawnServer({ GREETING: "hello" }, { main: answering });
    expect(await (await fetch(server.url)).text()).toBe("hello");
    expect(await server.kill()).toEqual({ code: null, signal: "SIGKILL" });
    expect(isAlive(server.pid)).toBe(false);
  });

  test("is ready although its line arrives in parts, after text without a line break", async () => {
    const main = program(
      "hesitant.ts",
      `const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
      const line = JSON.stringify({ level: 30, msg: "listening", port: server.port });
      const write = (text) => new Promise((resolve) => process.stdout.write(text, resolve));
      await write("loading ");
      for (const part of [line.slice(0, 5), line.slice(5, 20), line.slice(20), "\\n"]) {
        await Bun.sleep(20);
        await write(part);
      }`,
    );
    const server = await spawnServer({}, { main });
    expect((await fetch(server.url)).status).toBe(200);
    await server.kill();
  });

  test("may end by itself, and its last output is kept", async () => {
    const server = await spawnServer({}, { main: answering });
    expect(await server.kill("SIGTERM")).toEqual({ code: 3, signal: null });
    expect(server.output()).toContain("draining");
  });

  test("that ends before it listens is an error that shows its output", async () => {
    const main = program("failing.ts", `console.error("no database"); process.exit(1);`);
    await expect(spawnServer({}, { main })).rejects.toThrow(/ended with 1:\n.*no database/s);
  });

  test("that never listens is ended", async () => {
    const main = program("silent.ts", "console.log(process.pid); setInterval(() => {}, 1_000);");
    const failure = await spawnServer({}, { main, readyTimeoutMs: 1_000 }).catch(String);
    const [, pid = ""] = /did not say that it listens:\n(\d+)/.exec(String(failure)) ?? [];
    expect(Number(pid)).toBeGreaterThan(0);
    expect(isAlive(Number(pid))).toBe(false);
  });

  test("does not outlive the process that spawned it, whether that ends or is killed", async () => {
    const source = fileURLToPath(new URL("./spawn-server.ts", import.meta.url));
    for (const end of ["process.exit(0)", 'process.kill(process.pid, "SIGKILL")']) {
      const main = program(
        "parent.ts",
        `import { spawnServer } from ${JSON.stringify(source)};
        const server = await spawnServer({}, { main: ${JSON.stringify(answering)} });
        console.log(new URL(server.url).port);
        process.stdin.once("data", () => ${end});`,
      );
      const parent = Bun.spawn([process.execPath, main], { stdin: "pipe", stdout: "pipe" });
      const { value } = await parent.stdout.getReader().read();
      const socket = connect(Number(new TextDecoder().decode(value)), "127.0.0.1");
      socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
      await once(socket, "data");
      const closed = once(socket.resume(), "close");
      parent.stdin.write("end\n");
      await parent.stdin.flush();
      await closed;
    }
  });
});
