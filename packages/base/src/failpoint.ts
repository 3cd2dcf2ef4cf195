// Named points at which a test can kill the process, to prove that what is durable at that point is
// correct. In production each one is a call of an empty function.

export const failpoints = [
  "hold-sent",
  "hold-committed",
  "before-upstream",
  "first-byte",
  "mid-stream",
  "before-settle",
  "settle-sent",
  "settle-committed",
  "after-done",
  "release-sent",
  "release-committed",
  "reap-sent",
  "drain-started",
  "webhook-sent",
  "line-answered",
] as const;

export type FailpointName = (typeof failpoints)[number];
export type Failpoint = (name: FailpointName) => void;

export const noFailpoint: Failpoint = () => undefined;
