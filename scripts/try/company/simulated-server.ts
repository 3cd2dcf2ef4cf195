// The server at a simulated time: the clock of this process is ahead of the real one by CLOCK_AHEAD_MS, like the clock of
// its database. Ids are UUIDs of version 7 and contain the time, so they are ahead too.
const aheadMs = Number(process.env.CLOCK_AHEAD_MS);
if (!Number.isSafeInteger(aheadMs)) throw new Error("CLOCK_AHEAD_MS is not a number.");

const RealDate = Date;
const nowMs = () => RealDate.now() + aheadMs;

globalThis.Date = new Proxy(RealDate, {
  construct: (real, given: readonly unknown[], target) =>
    Reflect.construct(real, given.length === 0 ? [nowMs()] : given, target),
  get: (real, name) => (name === "now" ? nowMs : Reflect.get(real, name)),
});

const realUuid = Bun.randomUUIDv7;
Bun.randomUUIDv7 = ((encoding: "hex" | undefined, at: number | Date | undefined) =>
  realUuid(encoding ?? "hex", at ?? nowMs())) as typeof Bun.randomUUIDv7;

await import(new URL("../../../apps/server/src/main.ts", import.meta.url).href);
