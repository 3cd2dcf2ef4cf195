// Who belongs to an account, and in which role.

import {
  changeRole,
  keyFates,
  listInvitations,
  listMembers,
  setMemberProjects,
} from "@turnpike/accounts";
import type { PersonId, ProjectId } from "@turnpike/base";
import { expelMember } from "@turnpike/operator";
import { roles } from "@turnpike/terms";
import { z } from "zod";
import { idInput } from "../inputs.ts";
import { accountProcedure, noInput, provenAccountProcedure, router } from "../procedure.ts";

const personId = idInput<PersonId>().describe("Id of the member.");
export const changeRoleInput = z.strictObject({
  personId,
  role: z.enum(roles).describe("What the member may do from now on. `owner` is refused."),
});
export const setMemberProjectsInput = z.strictObject({
  personId,
  projectIds: z
    .array(idInput<ProjectId>())
    .max(200)
    .nullable()
    .describe("The projects that the member sees, at most 200; null for all."),
});
export const removeMemberInput = z.strictObject({
  personId,
  keys: z
    .enum(keyFates)
    .describe(
      "Their API keys, and those whose secret they were shown, are revoked, and webhook endpoints whose URL they chose disabled; or their keys stay as they are, or become keys of the caller.",
    ),
});

export const membersRouter = router({
  list: accountProcedure("members.read")
    .input(noInput)
    .query(async ({ ctx }) => {
      const members = await listMembers(ctx.db, ctx.account.id);
      return members.map((member) => ({ ...member, joinedAt: member.joinedAt.toISOString() }));
    }),
  /** The addresses of people who are no members yet: for those who may invite. */
  invitations: accountProcedure("members.change")
    .input(noInput)
    .query(async ({ ctx }) => {
      const list = await listInvitations(ctx.db, ctx.account.id);
      return list.map((invitation) => ({
        ...invitation,
        createdAt: invitation.createdAt.toISOString(),
        expiresAt: invitation.expiresAt.toISOString(),
        expired: invitation.expiresAt.getTime() <= Date.now(),
      }));
    }),
  changeRole: provenAccountProcedure("members.change")
    .input(changeRoleInput)
    .mutation(async ({ ctx, input }) => {
      await changeRole(ctx.db, ctx.member, input);
      return {};
    }),
  setProjects: accountProcedure("members.change")
    .input(setMemberProjectsInput)
    .mutation(async ({ ctx, input }) => {
      await setMemberProjects(ctx.db, ctx.member, input);
      return {};
    }),
  remove: accountProcedure("members.change")
    .input(removeMemberInput)
    .mutation(async ({ ctx, input }) => {
      await expelMember(ctx.db, ctx.member, input);
      return {};
    }),
});
