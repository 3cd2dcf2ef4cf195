// An organization of the member of a test, and a colleague who joins it in a role, in a browser of their own.
import {
  type BrowserTest,
  inBrowser,
  type MemberTest,
  signInBrowser,
} from "./browser-test.fixture.ts";
import type { Environment } from "./environment.fixture.ts";
import {
  joinAs,
  joinByInvitation,
  linkIn,
  type Member,
  newEmail,
  tokenIn,
} from "./member.fixture.ts";

/** Invites by the API and joins as the role. */
export async function joinOrganization(
  { member, environment }: MemberTest,
  role: "developer" | "viewer" | "billing",
) {
  const { slug } = await member.mutate("accounts.create", { name: `Team of ${role}` });
  const colleague = await joinAs(environment);
  return { base: `/a/${String(slug)}`, colleague, role };
}

export async function accept(
  one: MemberTest,
  { base, colleague, role }: { base: string; colleague: Member; role: string },
  run: (opened: BrowserTest) => Promise<void>,
): Promise<void> {
  await one.goTo(`${base}/settings/members`);
  await one.page.getByLabel("Email").fill(colleague.email);
  await one.page.getByLabel("Role").selectOption(role);
  await one.page.getByRole("button", { name: "Send invitation" }).click();
  const mail = await one.environment.mails.waitFor(colleague.email, (each) =>
    /invited you/.test(each.subject),
  );
  await inBrowser(one.environment, role, undefined, async (opened) => {
    await signInBrowser(opened, colleague);
    await opened.page.goto(linkIn(mail.text));
    await opened.page.getByRole("button", { name: /^Join / }).click();
    await opened.page.waitForURL(`**${base}`);
    await run(opened);
  });
}

type Role = "admin" | "developer" | "viewer" | "billing";

/** An organization of somebody new. All of it by the API: nothing is shown meanwhile. */
export async function openOrganization(environment: Environment, name: string) {
  const person = await joinAs(environment);
  const slug = String((await person.mutate("accounts.create", { name })).slug);
  const owner = person.inAccount(slug);
  const invite = async (role: Role): Promise<Member> => {
    const email = newEmail();
    await owner.mutate("invitations.create", { email, role });
    const { text } = await environment.mails.waitFor(email);
    return (await joinByInvitation(environment, email, tokenIn(text))).inAccount(slug);
  };
  return { base: `/a/${slug}`, owner, invite };
}
