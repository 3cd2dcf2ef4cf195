// Methods that no route has. What the others say of a wrong one is in 401-403-405-every-route.test.ts.
import { afterAll, expect, test } from "bun:test";
import { openAccount, sendRaw, startTestServer } from "../harness/index.ts";

const server = await startTestServer();
const { key } = await openAccount(server);
afterAll(() => server.close());

test.each(["TRACE", "PROPFIND"])("FC15: %s is supported nowhere", async (method) => {
  const host = `127.0.0.1:${server.port}`;
  const answer = await sendRaw(
    server.port,
    `${method} /v1/models HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
  );
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.status).toBeLessThan(500);
});

test("a WebSocket is answered with 426, at which Codex uses HTTP instead", async () => {
  const answer = await sendRaw(
    server.port,
    [
      "GET /v1/responses HTTP/1.1",
      `Host: 127.0.0.1:${server.port}`,
      `Authorization: Bearer ${key}`,
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      "\r\n",
    ].join("\r\n"),
  );
  expect(answer.status).toBe(426);
  expect(answer.headers.get("upgrade")).toBe("HTTP/1.1");
  expect(answer.headers.get("connection")).toBe("upgrade, close");
  expect(answer.body).toContain("WebSockets are not supported here. Use POST.");
});

test("HEAD is GET without a body", async () => {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${server.baseUrl}/models`, { method: "HEAD", headers });
  expect(response.status).toBe(200);
  expect(await response.text()).toBe("");
});
