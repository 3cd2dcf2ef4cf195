// What can happen to the connections between a server and PostgreSQL while both are well: answers that are
// late, lost or never come, connections that are reset, and connections of which only one end is left.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { TcpProxy } from "@turnpike/testing";
import { chatBody, openAccount } from "../harness/index.ts";
import { askChat } from "../money/ask-chat.ts";
import { type OwnSite, openOwnSite } from "./open-own-site.ts";
import type { Calls } from "./start-calls.ts";

setDefaultTimeout(120_000);

let site: OwnSite;
beforeAll(async () => {
  site = await openOwnSite();
});
afterAll(() => site?.close());

/** Accepts every connection on the port and ends it at once, as a server that is being stopped does. */
const listenAndEnd = (port: number) =>
  Bun.listen({
    hostname: "127.0.0.1",
    port,
    socket: { open: (socket) => void socket.end(), data: () => undefined },
  });

type Fault = {
  readonly fault: string;
  readonly rounds: number;
  readonly cause: (proxy: TcpProxy, calls: Calls) => Promise<void>;
};

const faults: readonly Fault[] = [
  {
    fault: "T4, FD5: answers that are late",
    rounds: 10,
    async cause(proxy) {
      proxy.pause("to-client");
      await proxy.nextBytes("to-client");
      await Bun.sleep(Math.random() * 500);
      proxy.resume();
    },
  },
  {
    fault: "T4: connections reset at any moment",
    rounds: 20,
    async cause(proxy) {
      await Bun.sleep(Math.random() * 100);
      proxy.cut();
    },
  },
  {
    fault: "T4: connections reset when an answer, such as that to a commit, is under way",
    rounds: 20,
    async cause(proxy) {
      proxy.pause("to-client");
      await proxy.nextBytes("to-client");
      proxy.cut();
      proxy.resume();
    },
  },
  {
    fault: "T4: statements that are lost until nothing can be admitted",
    rounds: 2,
    async cause(proxy, calls) {
      proxy.blackHole("to-target");
      await calls.awaitRefusal();
      proxy.cut();
      proxy.resume();
    },
  },
  {
    fault: "T4: a network that passes nothing until nothing can be admitted",
    rounds: 2,
    async cause(proxy, calls) {
      proxy.pause();
      await calls.awaitRefusal();
      proxy.resume();
    },
  },
  {
    fault: "T4, FD9: connections that are closed before the session begins",
    rounds: 2,
    async cause(proxy, calls) {
      proxy.refuse();
      const ending = listenAndEnd(proxy.port);
      proxy.cut();
      await calls.awaitRefusal();
      ending.stop(true);
      await proxy.accept();
    },
  },
  {
    fault: "T4: connections that are half-open",
    rounds: 2,
    async cause(proxy) {
      const { owner, server } = site;
      const newAccounts = await Promise.all(
        Array.from({ length: 4 }, () => openAccount({ owner })),
      );
      proxy.orphan();
      // Their keys are not known yet: no call hangs, not even where a connection was idle.
      for (const { key } of newAccounts) {
        const name = "after connections became half-open";
        const { status } = await askChat(server, { key, name, body: chatBody({ deltas: 1 }) });
        expect(status).toBeOneOf([200, 503]);
      }
    },
  },
];

test.each([...faults])("$fault", ({ rounds, cause }) =>
  site.withstand(async (calls) => {
    for (let round = 0; round < rounds; round += 1) {
      await calls.awaitAnswers();
      await cause(site.proxy, calls);
    }
  }),
);
