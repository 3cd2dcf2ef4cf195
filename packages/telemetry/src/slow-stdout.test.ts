// Lines that are logged while others are being written, as on a busy machine, do not wait for the next line.
import { expect, test } from "bun:test";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("./slow-stdout.fixture.ts", import.meta.url));

test("the last line is written although the ones before it were slow", async () => {
  const child = Bun.spawn([process.execPath, program], { stdin: "ignore", stdout: "pipe" });
  try {
    let printed = "";
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) {
      printed += decoder.decode(chunk, { stream: true });
      if (printed.includes('"third"')) break;
    }
    expect(printed).toContain('"first"');
    expect(printed).toContain('"second"');
    expect(printed).toContain('"third"');
  } finally {
    child.kill("SIGKILL");
    await child.exited;
  }
});
