// What is done to servers, connections and PostgreSQL while calls run: a random fault after another, one at a
// time for the servers and one for the database, so that two faults often coincide. When it ends, everything
// runs again.
import { childrenOf } from "../bench/read-usage.ts";
import type { Fault } from "./fault.ts";
import type { Instance } from "./instance.ts";
import type { SoakSite } from "./open-site.ts";
import { times } from "./open-site.ts";
import type { Random } from "./random.ts";

export type FaultCounts = Record<string, number>;

const serverFaults: readonly Fault[] = [
  {
    name: "kill -9",
    weight: 4,
    ends: true,
    async cause(_, instance, random) {
      await instance.end("SIGKILL");
      await Bun.sleep(random.between(0, 1_000));
      await instance.start();
    },
  },
  {
    name: "restart",
    weight: 1,
    ends: true,
    async cause(_, instance) {
      await instance.end("SIGTERM");
      await instance.start();
    },
  },
  {
    name: "short freeze",
    weight: 3,
    cause: (_, instance, random) =>
      instance.freeze(random.between(100, times.heartbeatLapseMs - 500)),
  },
  {
    name: "long freeze",
    weight: 1,
    cause: (_, instance, random) =>
      instance.freeze(times.silentMs + random.between(500, times.heartbeatLapseMs)),
  },
];

const databaseFaults: readonly Fault[] = [
  {
    name: "outage",
    weight: 2,
    async cause({ cluster }, _, random) {
      await cluster.stop("SIGQUIT");
      await Bun.sleep(random.between(0, 2_000));
      await cluster.start();
    },
  },
  {
    name: "frozen database",
    weight: 2,
    async cause({ cluster }, _, random) {
      const postmaster = cluster.postmasterPid();
      const pids = [postmaster, ...childrenOf(postmaster)];
      for (const pid of pids) signal(pid, "SIGSTOP");
      await Bun.sleep(random.between(1_000, 3_000));
      for (const pid of pids) signal(pid, "SIGCONT");
    },
  },
  {
    name: "connections cut",
    weight: 4,
    async cause(_, { proxy }, random) {
      await Bun.sleep(random.between(0, 100));
      proxy.cut();
    },
  },
  {
    name: "answers lost",
    weight: 4,
    async cause(_, { proxy }) {
      // Whatever was committed now is not heard of.
      proxy.pause("to-client");
      await Promise.race([proxy.nextBytes("to-client"), Bun.sleep(1_000)]);
      proxy.cut();
      proxy.resume();
    },
  },
  {
    name: "late answers",
    weight: 2,
    async cause(_, { proxy }, random) {
      proxy.pause("to-client");
      await Bun.sleep(random.between(100, 2_500));
      proxy.resume();
    },
  },
  {
    name: "black hole",
    weight: 1,
    async cause(_, { proxy }, random) {
      proxy.blackHole("to-target");
      await Bun.sleep(random.between(500, 4_000));
      proxy.cut();
      proxy.resume();
    },
  },
  {
    name: "half-open connections",
    weight: 1,
    async cause(_, { proxy }, random) {
      proxy.orphan();
      await Bun.sleep(random.between(500, 6_000));
      proxy.cut();
    },
  },
];

/** A child of PostgreSQL may end at any moment. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

export type FaultTerms = {
  readonly random: Random;
  /** How often each fault was caused. */
  readonly counts: FaultCounts;
  /** The only server whose process is ended: the other one shows whether memory grows. */
  readonly victim: Instance;
};

/** Causes faults until `isOver`; resolves when the last one is repaired. */
export async function causeFaults(
  site: SoakSite,
  { random, counts, victim }: FaultTerms,
  isOver: () => boolean,
): Promise<void> {
  const keepCausing = async (faults: readonly Fault[], leastMs: number, mostMs: number) => {
    const bag = faults.flatMap((fault) => Array.from({ length: fault.weight }, () => fault));
    while (!isOver()) {
      await Bun.sleep(random.between(leastMs, mostMs));
      const fault = bag[random.between(0, bag.length - 1)];
      if (fault === undefined || isOver()) continue;
      counts[fault.name] = (counts[fault.name] ?? 0) + 1;
      const instance = fault.ends ? victim : random.pick(site.instances);
      await fault.cause(site, instance, random);
    }
  };
  await Promise.all([
    keepCausing(serverFaults, 1_000, 4_000),
    keepCausing([...databaseFaults, ...site.cluster.faults], 500, 4_000),
  ]);
}
