// For tests: members whose request has been authenticated and who act later, when their rights may have changed.
import type { PersonId } from "@turnpike/base";
import type { Role } from "@turnpike/terms";
import type { ApiContext } from "./context.ts";
import type { Member, TestApi } from "./open-test-api.fixture.ts";

export type ActingMember = Member & { readonly context: ApiContext; readonly personId: PersonId };

/** In the account of the member's organization, as who they are now. */
export async function authenticate(api: TestApi, member: Member): Promise<ActingMember> {
  const [account] = await api.sql<{ slug: string }[]>`
    select slug from accounts where id = ${member.accountId}`;
  const context = await api.contextOf(member, account?.slug);
  const personId = context.authenticated?.person.id;
  if (personId === undefined || context.account?.id !== member.accountId) {
    throw new Error("not signed in to the organization");
  }
  return { ...member, context, personId };
}

/** Somebody new in the same account. */
export async function authenticateColleague(
  api: TestApi,
  founder: Member,
  role: Role,
): Promise<ActingMember> {
  return authenticate(api, await api.addColleague(founder, role));
}
