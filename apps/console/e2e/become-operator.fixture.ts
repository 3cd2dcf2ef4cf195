// Makes a member an operator of the installation: a second factor of their own, and a role from the command line.
import type { Environment } from "./environment.fixture.ts";
import type { Member } from "./member.fixture.ts";
import { runAdmin } from "./run-admin.fixture.ts";
import { showCode } from "./show-code.fixture.ts";

export async function becomeOperator(
  { settings }: Environment,
  member: Member,
  role: "owner" | "support" | "finance" | "read_only" = "owner",
): Promise<void> {
  const { id, secret } = await member.mutate("factors.beginTotp");
  const code = showCode(String(secret));
  await member.mutate("factors.confirmTotp", { id, name: "Phone", code });
  const grant = ["--email", member.email, "--role", role, "--reason", "a test"];
  await runAdmin(settings, ["operator", "grant", ...grant]);
}
