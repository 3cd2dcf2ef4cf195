// A fault that a soak causes again and again while calls run.
import type { OwnCluster } from "../postgres/open-cluster.ts";
import type { Instance } from "./instance.ts";
import type { Random } from "./random.ts";

export type FaultSite = { readonly cluster: Pick<OwnCluster, "stop" | "start" | "postmasterPid"> };

export type Fault = {
  readonly name: string;
  readonly weight: number;
  /** It ends the process. */
  readonly ends?: true;
  readonly cause: (site: FaultSite, instance: Instance, random: Random) => Promise<void>;
};
