// Projects, budgets, guardrails and rate limits in every state, for an account with a seeded history.
import type { Member } from "./member.fixture.ts";
import type { SeededHistory } from "./seed-history.fixture.ts";

export async function seedBudgets(member: Member, { keyId }: SeededHistory): Promise<void> {
  const create = async (name: string) =>
    String((await member.mutate("projects.create", { name })).id);
  const research = await create("Research");
  const support = await create("Customer support");
  const former = await create("Summer pilot");
  await member.mutate("projects.archive", { id: former, keys: "move" });
  await member.mutate("keys.move", { id: keyId, projectId: research });
  const me = (await member.query("auth.me")) as { readonly account: { readonly id: string } };
  const budgets = [
    { kind: "account", subjectId: me.account.id, period: "month", limitUsd: "20", hard: true },
    { kind: "account", subjectId: me.account.id, period: "total", limitUsd: "500", hard: false },
    { kind: "project", subjectId: research, period: "day", limitUsd: "0.01", hard: false },
    { kind: "project", subjectId: support, period: "week", limitUsd: "150", hard: true },
    { kind: "key", subjectId: keyId, period: "month", limitUsd: "12.5", hard: true },
  ];
  for (const budget of budgets) await member.mutate("budgets.set", budget);
  const rules = {
    allowedModels: ["northwind/*", "lumen/gamma", "sandbox/echo"],
    allowedAddresses: ["127.0.0.0/8", "2001:db8::/32"],
    allowedHours: {
      days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
      from: "00:00",
      until: "24:00",
    },
    maxOutputUsdPerMillion: "15",
  };
  const guardrails = [
    { kind: "account", subjectId: me.account.id, rules },
    { kind: "project", subjectId: support, rules: { denyTraining: true, denyRetention: true } },
    { kind: "key", subjectId: keyId, rules: { maxCallUsd: "0.5" } },
  ];
  for (const guardrail of guardrails) await member.mutate("guardrails.set", guardrail);
  await member.mutate("projects.setLimits", {
    id: research,
    requestsPerMinute: 600,
    concurrency: 20,
  });
}
