// A free port stays free until it is used, beside any number of connections.
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { freePort } from "./free-port.ts";

test("a free port is outside the range from which the system assigns ports", async () => {
  const range = "/proc/sys/net/ipv4/ip_local_port_range";
  if (!existsSync(range)) return console.log("skip: only Linux says which ports it chooses from");
  const [first = 0] = readFileSync(range, "utf8").trim().split(/\s+/).map(Number);
  if (first < 32_768) return console.log(`skip: this machine chooses from port ${first} on`);
  for (let asked = 0; asked < 20; asked += 1) expect(await freePort()).toBeLessThan(first);
});
