// The commands of README.md that let agents use the sandbox: each is run exactly as documented, with the
// address and the key of the test, the installed program instead of `npx`, and a prompt.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  at,
  getPath,
  readCharges,
  readJson,
  startTestServer,
  useServer,
} from "../harness/index.ts";
import { type Agent, claudeCode, codex, opencode } from "./agents.ts";
import { eventsIn, findProgram, runProgram } from "./run-program.ts";

const { server, account } = await useServer(startTestServer());

const read = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../../../${path}`, import.meta.url)), "utf8");
const readmeLines = read("README.md").split("\n");

type Documented = {
  readonly agent: Agent;
  /** The arguments before and after the documented ones, so that it answers a prompt and ends. */
  readonly before: string;
  readonly after: string;
  /** The path by which its language reaches the upstream of its model, and that model's name there. */
  readonly upstream: { readonly path: string; readonly model: string };
  readonly answersIn: (printed: string) => unknown[];
};

const documented: readonly Documented[] = [
  {
    agent: claudeCode,
    before: "-p Hello --output-format json",
    after: "",
    upstream: { path: "/v1/messages", model: "sandbox-claude" },
    answersIn: (printed) => [at(JSON.parse(printed), "result")],
  },
  {
    agent: codex,
    before: "exec --skip-git-repo-check --json --dangerously-bypass-approvals-and-sandbox",
    after: "Hello",
    upstream: { path: "/v1/responses", model: "sandbox-responses" },
    answersIn: (printed) =>
      eventsIn(printed)
        .filter((event) => at(event, "item.type") === "agent_message")
        .map((event) => at(event, "item.text")),
  },
  {
    agent: opencode,
    before: "run --format json",
    after: "Hello",
    upstream: { path: "/v1/chat/completions", model: "sandbox-echo" },
    answersIn: (printed) => eventsIn(printed).map((event) => at(event, "part.text")),
  },
];

/** The command for `sh`, with the program in `$PROGRAM`. */
function commandOf({ agent, before, after }: Documented): string {
  const [line, ...others] = readmeLines.filter((one) => one.includes(`npx ${agent.npm} `));
  if (line === undefined || others.length > 0) throw new Error(`not one command of ${agent.npm}`);
  return `${line
    .replaceAll("http://127.0.0.1:3000", server.url)
    .replace(`npx ${agent.npm}`, `"$PROGRAM" ${before}`)} ${after}`;
}

/** By id, the parameters that each model supports. */
async function readModels(): Promise<ReadonlyMap<unknown, unknown>> {
  const { data } = await readJson(await getPath(server, account.key, "/models"));
  const models = Array.isArray(data) ? data : [];
  return new Map(models.map((model) => [at(model, "id"), at(model, "supported_parameters")]));
}

test("the commands and the configurations of agents name sandbox models that support tools", async () => {
  const clients = read("docs/clients.md");
  const from = clients.indexOf("## Codex");
  const sections = clients.slice(from, clients.indexOf("\n## Anthropic's SDKs", from));
  const places = [...documented.map(commandOf), ...sections.split("\n## ")];
  expect(places).toHaveLength(6);
  const models = await readModels();
  for (const place of places) {
    const named = new Set([...place.matchAll(/sandbox\/[a-z]+/g)].map(([id]) => id));
    expect(named.size).toBe(1);
    for (const id of named) expect(models.get(id)).toContain("tools");
  }
});

for (const one of documented) {
  const { agent, upstream } = one;
  const program = findProgram(agent);
  if (program.kind === "absent") console.log(`skipped: ${program.reason}`);
  describe.skipIf(program.kind === "absent")(`${agent.name} as in README.md`, () => {
    test("answers by its sandbox model, and pays for it", async () => {
      const command = commandOf(one);
      const result = await runProgram(
        server,
        ({ home }, { key }) => ({
          command: ["sh", "-c", command],
          environment: {
            ...agent.environment(home),
            PROGRAM: program.path,
            TURNPIKE_API_KEY: key,
          },
        }),
        { answers: () => [] },
      );
      const { code, errors, printed, sent } = result;
      expect({ code, errors: code === 0 ? "" : errors }).toEqual({ code: 0, errors: "" });
      // Agents add to the message that is repeated.
      expect(one.answersIn(printed)).toContainEqual(expect.stringContaining("Hello"));
      const turn = sent.find(({ chat }) => chat.tools.length > 0);
      expect(turn?.path.replace(/\?.*/, "")).toBe(upstream.path);
      expect(turn?.chat.model).toBe(upstream.model);
      const charges = await readCharges(server, result.account);
      expect(charges).toHaveLength(sent.length);
    });
  });
}
