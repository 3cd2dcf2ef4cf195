// How this process compares with the others: how many there are, whether its clock agrees
// with the database's, and which catalog it serves.
import { Gauge, type Registry } from "prom-client";

export type InstanceMeters = {
  /** Live instances on this database, including this one. */
  setInstances(count: number): void;
  /** Positive when this machine's clock is ahead of the database's. */
  setClockOffset(milliseconds: number): void;
  /** Replaces the version served; `models` is the number of models offered. */
  setCatalog(version: string, models: number): void;
};

export function createInstanceMeters(registry: Registry): InstanceMeters {
  const instances = new Gauge({
    name: "turnpike_instances",
    help: "Live instances on this database, as this one last saw them; limits are divided by it.",
    registers: [registry],
  });
  const clockOffset = new Gauge({
    name: "turnpike_clock_offset_seconds",
    help: "This machine's clock minus the database's. Beyond 2 s the instance admits nothing.",
    registers: [registry],
  });
  const catalog = new Gauge({
    name: "turnpike_catalog_models",
    help: "Models offered, by the version of the catalog this process serves.",
    labelNames: ["version"] as const,
    registers: [registry],
  });
  return {
    setInstances: (count) => instances.set(count),
    setClockOffset: (milliseconds) => clockOffset.set(milliseconds / 1000),
    setCatalog(version, models) {
      catalog.reset();
      catalog.set({ version }, models);
    },
  };
}
