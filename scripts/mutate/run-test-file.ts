// Runs one test file in the scratch copy, at low priority, and ends it when it takes too long.
import { startSupervised } from "../process/start-supervised.ts";

export type TestOutcome = { readonly ok: boolean; readonly late: boolean; readonly output: string };

const niceness = "15";
const outputCharsMax = 20_000;

export async function runTestFile(
  root: string,
  path: string,
  environment: NodeJS.ProcessEnv,
  timeoutMs: number,
  options: readonly string[] = [],
): Promise<TestOutcome> {
  const test = [process.execPath, "test", "--bail", "--timeout=30000", ...options, `./${path}`];
  const command = ["nice", "-n", niceness, ...test];
  const running = startSupervised(command, "pipe", { cwd: root, env: environment });
  let output = "";
  const keep = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-outputCharsMax);
  };
  running.child.stdout?.on("data", keep);
  running.child.stderr?.on("data", keep);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    void running.stop();
  }, timeoutMs);
  const code = await running.exited;
  clearTimeout(timer);
  return { ok: code === 0 && !late, late, output };
}
