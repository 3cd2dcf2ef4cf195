// A listening connection is replaced only after it failed a proof.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Connection, connectDatabase, type Listener, openListener } from "@turnpike/db";
import { createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { proveNotifications } from "./prove-notifications.ts";

let database: TestDatabase;
let connection: Connection;
let listener: Listener;
beforeAll(async () => {
  database = await createTestDatabase();
  connection = connectDatabase({ url: database.url });
  listener = openListener({ url: database.url });
});
afterAll(async () => {
  await listener.close();
  await connection.close();
  await database.drop();
});

test("a connection that delivers again after it was replaced is not replaced again", async () => {
  let deaf = true;
  let replaced = 0;
  const watched: Listener = {
    ...listener,
    subscribe: (channel, { onMessage, onReconnect }) =>
      listener.subscribe(channel, {
        onMessage: (payload) => {
          if (!deaf) onMessage(payload);
        },
        onReconnect,
      }),
    async reconnect() {
      replaced += 1;
      await listener.reconnect();
    },
  };
  const { prove } = proveNotifications({
    db: connection.db,
    listener: watched,
    timeoutMs: 200,
    onChange: () => undefined,
    onReconnect: () => undefined,
  });
  expect(await prove()).toBeDefined();
  deaf = false;
  while ((await prove()) !== undefined);
  expect(replaced).toBeGreaterThan(0);
  const before = replaced;
  await prove();
  expect(replaced).toBe(before);
});
