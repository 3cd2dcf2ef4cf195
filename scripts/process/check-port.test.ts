// A port counts as in use whichever address of this machine the other program listens on.
import { expect, test } from "bun:test";
import { once } from "node:events";
import { createServer } from "node:net";
import { freePort } from "@turnpike/testing";
import { checkPort } from "./check-port.ts";

test.each(["127.0.0.1", "::1", "0.0.0.0", "::"])("a program that listens on %s", async (host) => {
  const port = await freePort();
  await checkPort(port);
  const other = createServer().listen({ port, host });
  try {
    await once(other, "listening");
  } catch {
    return console.log(`skip: this machine does not have ${host}`);
  }
  await expect(checkPort(port)).rejects.toThrow(`Port ${port} is in use by another program`);
  other.close();
});
