// The commands of README.md that let agents use the sandbox: each is run exactly as documented, with the
// address and the key of the test, the prepared program instead of `npx`, and a prompt.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestServer } from "../harness/index.ts";
import type { Agent } from "./agents.ts";
import { expectPaid, runProgram } from "./run-program.ts";

const readme = join(import.meta.dir, "../../../../README.md");

/** The only line of README.md that runs it. */
export function readmeCommandOf({ npm }: Pick<Agent, "npm">): string {
  const lines = readFileSync(readme, "utf8").split("\n");
  const [line, ...others] = lines.filter((one) => one.includes(`npx ${npm} `));
  if (line === undefined || others.length > 0) throw new Error(`not one command of ${npm}`);
  return line;
}

export type DocumentedCommand = {
  readonly agent: Agent;
  /** Of the prepared program. */
  readonly path: string;
  /** The arguments before and after the documented ones, so that it answers a prompt and ends. */
  readonly before: string;
  readonly after: string;
  /** The path by which its language reaches the upstream of its model, and that model's name there. */
  readonly upstream: { readonly path: string; readonly model: string };
  readonly answersIn: (printed: string) => readonly unknown[];
};

export function testReadmeCommand(
  server: TestServer,
  { agent, path, before, after, upstream, answersIn }: DocumentedCommand,
): void {
  test("as in README.md, answers by its sandbox model, and pays for it", async () => {
    // A command for `sh`, with the program in `$PROGRAM`.
    const command = readmeCommandOf(agent)
      .replaceAll("http://127.0.0.1:3000", server.url)
      .replace(`npx ${agent.npm}`, `"$PROGRAM" ${before}`);
    const result = await runProgram(
      server,
      ({ home }, { key }) => ({
        command: ["sh", "-c", `${command} ${after}`],
        environment: { ...agent.environment(home), PROGRAM: path, TURNPIKE_API_KEY: key },
      }),
      { answers: () => [] },
    );
    const { code, errors, printed, sent } = result;
    expect({ code, errors: code === 0 ? "" : errors }).toEqual({ code: 0, errors: "" });
    // Agents add to the message that is repeated.
    expect(answersIn(printed)).toContainEqual(expect.stringContaining("Hello"));
    const turn = sent.find(({ chat }) => chat.tools.length > 0);
    expect(turn?.path.replace(/\?.*/, "")).toBe(upstream.path);
    expect(turn?.chat.model).toBe(upstream.model);
    await expectPaid(server, result);
  });
}
