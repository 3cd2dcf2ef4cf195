import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { listenOnLoopback } from "./http-connection.ts";
import { startTcpProxy } from "./tcp-proxy.ts";

const echo = await listenOnLoopback(0, (socket) => socket.on("data", (data) => socket.write(data)));
const proxy = await startTcpProxy({ port: echo.port });
afterAll(async () => {
  await proxy.close();
  await echo.close();
});

const opened: Socket[] = [];
afterEach(() => {
  proxy.resume();
  for (const socket of opened.splice(0)) socket.destroy();
});

/** A client that can wait for text, and for its own end. */
function open() {
  const socket = connect(proxy.port, "127.0.0.1").setEncoding("latin1");
  opened.push(socket);
  let text = "";
  let wake: () => void = () => undefined;
  socket.on("data", (chunk: string) => {
    text += chunk;
    wake();
  });
  const end = new Promise<string>((resolve) => {
    socket.on("error", (error) => resolve("code" in error ? String(error.code) : error.message));
    socket.on("end", () => resolve("FIN"));
  });
  const expectText = async (expected: string) => {
    while (text !== expected) await new Promise<void>((resolve) => (wake = resolve));
  };
  return { socket, end, expectText, received: () => text };
}

describe("a TCP proxy", () => {
  test("passes bytes on and counts them both ways", async () => {
    const before = { ...proxy.bytes };
    const client = open();
    client.socket.write("hello");
    await client.expectText("hello");
    expect(proxy.bytes["to-target"] - before["to-target"]).toBe(5);
    expect(proxy.bytes["to-client"] - before["to-client"]).toBe(5);
    expect(proxy.connections).toBe(1);
  });

  test("holds bytes back while paused and delivers them on resume", async () => {
    const client = open();
    client.socket.write("a");
    await client.expectText("a");
    proxy.pause("to-client");
    const held = proxy.nextBytes("to-client");
    client.socket.write("b");
    await held;
    expect(client.received()).toBe("a");
    proxy.resume();
    await client.expectText("ab");
  });

  test("a black hole drops bytes permanently", async () => {
    const client = open();
    client.socket.write("a");
    await client.expectText("a");
    proxy.blackHole("to-client");
    const swallowed = proxy.nextBytes("to-client");
    client.socket.write("b");
    await swallowed;
    proxy.resume();
    client.socket.write("c");
    await client.expectText("ac");
  });

  test("an orphan carries nothing any more, and the next connection works", async () => {
    const client = open();
    client.socket.write("a");
    await client.expectText("a");
    proxy.orphan();
    const swallowed = proxy.nextBytes("to-target");
    client.socket.write("b");
    await swallowed;
    const next = open();
    next.socket.write("c");
    await next.expectText("c");
    expect(client.received()).toBe("a");
  });

  test("a cut resets every open connection, and the next one works", async () => {
    const client = open();
    client.socket.write("a");
    await client.expectText("a");
    proxy.cut();
    expect(await client.end).toBe("ECONNRESET");
    const next = open();
    next.socket.write("b");
    await next.expectText("b");
  });

  test("refuses new connections while open ones stay open", async () => {
    const client = open();
    client.socket.write("a");
    await client.expectText("a");
    proxy.refuse();
    expect(await open().end).toBe("ECONNREFUSED");
    client.socket.write("b");
    await client.expectText("ab");
    await proxy.accept();
    const next = open();
    next.socket.write("c");
    await next.expectText("c");
  });

  test("when the target closes, the client is closed too, with a FIN or a reset as the target did", async () => {
    for (const how of ["FIN", "ECONNRESET"]) {
      const target = await listenOnLoopback(0, (socket) => {
        socket.on("data", () => (how === "FIN" ? socket.end() : socket.resetAndDestroy()));
      });
      const between = await startTcpProxy({ port: target.port });
      const socket = connect(between.port, "127.0.0.1");
      const end = new Promise<string>((resolve) => {
        socket.on("error", () => resolve("ECONNRESET")).on("end", () => resolve("FIN"));
      });
      socket.resume().write("x");
      expect(await end).toBe(how);
      await between.close();
      await target.close();
    }
  });
});
