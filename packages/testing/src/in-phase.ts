// Says what a test file is busy with while it prepares something expensive, for the profile of
// `bun run test --profile`. Without a profile it only runs the work.

/** In the order in which a moment is counted if several are under way. */
export const testPhases = ["hashing", "databases", "servers"] as const;

export type TestPhase = (typeof testPhases)[number];

const running = new Map<TestPhase, number>();

/** Returns what the work returns. */
export async function inPhase<T>(phase: TestPhase, work: () => Promise<T>): Promise<T> {
  running.set(phase, (running.get(phase) ?? 0) + 1);
  try {
    return await work();
  } finally {
    running.set(phase, (running.get(phase) ?? 1) - 1);
  }
}

export function currentPhase(): TestPhase | undefined {
  return testPhases.find((phase) => (running.get(phase) ?? 0) > 0);
}
