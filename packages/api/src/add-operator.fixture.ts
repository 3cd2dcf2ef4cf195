// For tests: somebody with an account of their own who operates this installation.
import type { OperatorRole } from "@turnpike/db";
import type { Member, TestApi } from "./open-test-api.fixture.ts";

export async function addOperator(api: TestApi, role: OperatorRole): Promise<Member> {
  const member = await api.addMember();
  await api.owner.sql`
    insert into operators (person_id, role, granted_by)
    select person_id, ${role}, 'the test' from memberships
     where account_id = ${member.accountId} and role = 'owner'`;
  return member;
}
