// Finds the failed tests in the output of `bun test`: each with its file and the lines of its error,
// so that they can be repeated after everything else.

const mostLines = 40;

/** `found` has one text per failed test; `read` takes the output in chunks as they come. */
export function collectFailures(): { read: (chunk: string) => void; found: string[] } {
  const found: string[] = [];
  let file = "";
  let lines: string[] = [];
  let rest = "";
  let hasEnded = false;
  const readLine = (line: string) => {
    // A long run ends with its own lists, which name no files.
    hasEnded ||= /^\d+ tests? (skipped|failed|todo):$/.test(line);
    if (hasEnded) return;
    const heading = /^(\S+\.test\.tsx?):$/.exec(line)?.[1];
    if (heading) file = heading;
    else if (!/^\((pass|fail|skip|todo)\) /.test(line)) {
      lines.push(line);
      return;
    } else if (line.startsWith("(fail) ")) {
      const name = line.slice("(fail) ".length);
      found.push([`${file}: ${name}`, ...lines.slice(-mostLines)].join("\n").trimEnd());
    }
    lines = [];
  };
  const read = (chunk: string) => {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) readLine(line);
  };
  return { read, found };
}
