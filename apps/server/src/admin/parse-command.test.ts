// Why an operator's command line is refused, and what `--help` prints. None of it needs a database.

import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { readAdminConfig } from "../config.ts";
import { runAdmin } from "./run-admin.ts";

async function run(args: readonly string[]) {
  const environment = { DATABASE_URL: "postgres://u:p@127.0.0.1:1/none" };
  const { stdout, stderr, exitCode } = await runAdmin(args, () => readAdminConfig(environment));
  return { out: stdout, err: stderr, code: exitCode };
}

describe("a command line that is wrong", () => {
  test.each([
    [[]],
    [["account"]],
    [["account", "delete"]],
    [["constructor"]],
    [["account", "create"]],
    [["account", "show", "--email"]],
    [["account", "show", "--email", "a@b.cd", "--usd", "1"]],
    [["account", "show", "--email", "a@b.cd", "--loud"]],
    [["account", "create", "--email", "nobody"]],
    [["account", "credit", "--email", "a@b.cd", "--usd", "ten", "--reason", "r"]],
    [["account", "credit", "--email", "a@b.cd", "--usd", "0", "--reason", "r"]],
    [["account", "credit", "--email", "a@b.cd", "--usd", "-5", "--reason", "r"]],
    [["account", "credit", "--email", "a@b.cd", "--usd", "1000000", "--reason", "r"]],
    [["account", "credit", "--email", "a@b.cd", "--usd", "1", "--reason", " "]],
    [["key", "revoke", "--id", "7"]],
  ])("%j shows the usage on stderr and exits 2", async (args) => {
    const { out, err, code } = await run(args);
    expect({ out, code }).toEqual({ out: "", code: 2 });
    expect(err).toContain("Usage: bun run admin");
    expect(err).not.toContain("    at ");
  });

  test.each([
    [["account", "show", "--loud"], '"account show" has no option --loud.'],
    [["account", "show", "-v"], '"account show" has no option -v.'],
    [["account", "show", "--usd", "1"], '"account show" has no option --usd.'],
    [["account", "show", "--json=yes"], '"account show" has no option --json.'],
    [["account", "show", "--email"], "--email needs a value: --email ADDRESS."],
    [["account", "show", "--email", "--json"], "--email needs a value: --email ADDRESS."],
    [["account", "show", "--email="], "--email needs a value: --email ADDRESS."],
    [["money", "topups", "--reversed=yes"], "--reversed takes no value."],
    [["money", "topups", "--reversed", "x"], '"money topups" takes only options: remove "x".'],
    [["key", "list", "--email", "a@b.cd", "--email", "e@f.gh"], "--email is given more than once."],
    [["key", "create", "--json"], '"key create" needs --account and --name.'],
    [["account", "delete"], 'There is no command "account delete".'],
    [["account", "delete", "ada"], 'There is no command "account delete".'],
    [["account"], 'Name a command of "account".'],
    [["account", "show", "--emial", "a@b.cd"], '"account show" has no option --emial.'],
    [["account", "show", "a@b.cd"], '"account show" takes only options: remove "a@b.cd".'],
  ])("%j is refused in a sentence that names the mistake", async (args, sentence) => {
    const { err, code } = await run(args);
    expect({ sentence: err.split("\n")[0], code }).toEqual({ sentence, code: 2 });
  });
});

test("--version prints the version of the build, and needs no configuration", async () => {
  const { version } = await Bun.file(join(import.meta.dir, "../../../../package.json")).json();
  expect(await run(["--version"])).toEqual({ out: `${version}\n`, err: "", code: 0 });
});

describe("--help", () => {
  async function help(...args: string[]): Promise<string> {
    const { out, err, code } = await run(args);
    expect({ err, code }).toEqual({ err: "", code: 0 });
    return out;
  }

  test("without a command it lists every command", async () => {
    const out = await help("--help");
    expect(await help("-h")).toBe(out);
    for (const name of ["account create", "key revoke", "catalog apply", "books check"]) {
      expect(out).toContain(`  ${name}`);
    }
  });

  test("after a command it describes that command, even if required options are missing", async () => {
    const out = await help("account", "credit", "--help");
    const options =
      "--account ACCOUNT --usd AMOUNT --reason TEXT [--idempotency-key TEXT] [--json]";
    expect(out.split("\n")[0]).toBe(`Usage: bun run admin account credit ${options}`);
    expect(out).not.toContain("account show");
  });

  test("after a group of commands it lists the group", async () => {
    const out = await help("key", "--help");
    expect(out).toContain("key create --account ACCOUNT --name NAME [--reason TEXT]");
    expect(out).toContain("key list");
    expect(out).not.toContain("account show");
  });
});
