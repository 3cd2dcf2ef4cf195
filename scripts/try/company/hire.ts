// The company hires: projects, budgets, invitations with roles and projects, and a key with limits for everyone whose role
// has keys. People accept from the mail they got.
import { createVisitor, textAt, tokenOf, type Visitor } from "./ask.ts";
import { type Company, joinTurnpike } from "./found-company.ts";

export type Person = {
  readonly email: string;
  readonly role: "admin" | "billing" | "developer" | "viewer";
  readonly id: string;
  readonly visitor: Visitor;
  /** Undefined for roles without keys. */
  readonly key: { readonly id: string; readonly secret: string } | undefined;
  readonly isLimited: boolean;
};

export type Staff = {
  readonly people: readonly Person[];
  readonly projects: readonly string[];
  readonly webhook: { readonly id: string; readonly secret: string };
};

/** Of one day, for the person who is to reach it. */
const tightUsd = "0.06";

export async function hire(company: Company, count: number): Promise<Staff> {
  const { manage, site } = company;
  const account = await manage.call("GET /account");
  const accountId = textAt(account, "id");
  await manage.call("PATCH /account", { time_zone: "Europe/Berlin" });
  const endpoint = await manage.call("POST /webhooks", {
    url: site.receiver.url,
    description: "everything",
    event_types: null,
  });
  // Its first message is refused once, and accepted later.
  site.receiver.answers.push(() => new Response("not yet", { status: 503 }));
  const projects = [];
  for (const name of ["Search", "Support", "Research", "Platform"]) {
    projects.push(textAt(await manage.call("POST /projects", { name }), "id"));
  }
  const month = { period: "month", hard: true } as const;
  await setBudget(company, { kind: "account", subject_id: accountId, limit_usd: "900", ...month });
  for (const id of projects) {
    await setBudget(company, { kind: "project", subject_id: id, limit_usd: "400", ...month });
  }
  const people = [];
  for (let index = 1; index < count; index += 1) {
    people.push(await hireOne(company, index, projects));
  }
  const webhook = { id: textAt(endpoint, "id"), secret: textAt(endpoint, "secret") };
  return { people, projects, webhook };
}

async function setBudget({ manage }: Company, budget: object): Promise<void> {
  await manage.call("POST /budgets", budget);
}

function roleOf(index: number): Person["role"] {
  if (index === 1) return "admin";
  if (index === 2) return "billing";
  return index % 10 === 0 ? "viewer" : "developer";
}

async function hireOne(
  company: Company,
  index: number,
  projects: readonly string[],
): Promise<Person> {
  const { manage, site, slug } = company;
  const role = roleOf(index);
  const email = `person-${index}@company.example`;
  const project = projects[index % projects.length] ?? "";
  const projectIds = role === "developer" ? [project] : null;
  await manage.call("POST /invitations", { email, role, project_ids: projectIds });
  const visitor = createVisitor(
    () => site.server().url,
    () => slug,
  );
  const { url } = site.server();
  await joinTurnpike(visitor, url, email);
  await visitor.mutate("invitations.accept", { token: await tokenOf(url, email, "invitation") });
  const members = await manage.list("/members");
  const id = textAt(
    members.find((member) => member.email === email),
    "id",
  );
  const isLimited = role === "admin";
  const budget = { kind: "member", subject_id: id };
  await setBudget(company, { ...budget, period: "month", limit_usd: "50", hard: false });
  if (isLimited) {
    await setBudget(company, { ...budget, period: "day", limit_usd: tightUsd, hard: true });
    await setBudget(company, { ...budget, period: "total", limit_usd: tightUsd, hard: false });
  }
  const hasKeys = role === "admin" || role === "developer";
  const key = hasKeys ? await makeKey(company, { index, id, project, isLimited }) : undefined;
  return { email, role, id, visitor, key, isLimited };
}

type Maker = {
  readonly index: number;
  readonly id: string;
  readonly project: string;
  readonly isLimited: boolean;
};

async function makeKey(company: Company, { index, id, project, isLimited }: Maker) {
  const created = await company.manage.call("POST /keys", {
    name: `key of ${index}`,
    member_id: id,
    project_id: project,
    limits: {
      spend_limits_usd: { day: "5", total: "100" },
      requests_per_minute: 600,
      ...(isLimited && { allowed_models: ["company/small"] }),
    },
  });
  const keyId = textAt(created, "id");
  await setBudget(company, {
    kind: "key",
    subject_id: keyId,
    period: "week",
    limit_usd: "20",
    hard: true,
  });
  return { id: keyId, secret: textAt(created, "key") };
}
