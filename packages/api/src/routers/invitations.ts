// Invitations: sent, sent again, revoked and confirmed by members; read and accepted by the recipient of the link.

import {
  acceptInvitation,
  confirmClaim,
  inviteMember,
  listOwnInvitations,
  queryInvitation,
  resendInvitation,
  revokeInvitation,
} from "@turnpike/accounts";
import { beginInvitedPasskey, registerInvited } from "@turnpike/auth";
import type { InvitationId, ProjectId } from "@turnpike/base";
import { nameCharsMax, roles } from "@turnpike/terms";
import { z } from "zod";
import {
  credentialInput,
  emailInput,
  idInput,
  line,
  passwordInput,
  tokenInput,
} from "../inputs.ts";
import {
  accountProcedure,
  noInput,
  personProcedure,
  provenAccountProcedure,
  publicProcedure,
  router,
} from "../procedure.ts";

export const invitationIdInput = z.strictObject({
  id: idInput<InvitationId>().describe("Id of the invitation."),
});
export const createInvitationInput = z.strictObject({
  email: emailInput.describe("The address that the link is sent to, at most 254 characters."),
  role: z.enum(roles).describe("What they may do once they join."),
  projectIds: z
    .array(idInput<ProjectId>())
    .max(200)
    .nullable()
    .optional()
    .describe("The projects they see, at most 200. Default: null, which is all."),
});
export const confirmInvitationInput = invitationIdInput.extend({
  email: emailInput.describe("The address that opened the link: `claimed_by` of the invitation."),
});
const tokenOnly = z.strictObject({ token: tokenInput });
const firstProof = z.discriminatedUnion("method", [
  z.strictObject({ method: z.literal("password"), password: passwordInput }),
  z.strictObject({ method: z.literal("passkey"), credential: credentialInput }),
]);

export const invitationsRouter = router({
  read: publicProcedure
    .input(tokenOnly)
    .query(({ ctx, input }) => queryInvitation(ctx.db, ctx.auth, ctx, input.token)),
  accept: personProcedure
    .input(tokenOnly)
    .mutation(({ ctx, input }) => acceptInvitation(ctx.db, ctx.auth, ctx, ctx, input)),
  /** Those to the address of the person, who has proven it: they need no link. */
  own: personProcedure
    .input(noInput)
    .query(({ ctx }) => listOwnInvitations(ctx.db, ctx.authenticated.person)),
  acceptOwn: personProcedure
    .input(invitationIdInput)
    .mutation(({ ctx, input }) => acceptInvitation(ctx.db, ctx.auth, ctx, ctx, input)),
  /** Who has no account yet registers with the link, joins, and is signed in. */
  register: publicProcedure
    .input(tokenOnly.extend({ name: line(nameCharsMax.person), proof: firstProof }))
    .mutation(async ({ ctx, input }) => {
      const { setCookies, ...joined } = await registerInvited(ctx.db, ctx.auth, ctx, input);
      ctx.setCookies(setCookies);
      return joined;
    }),
  /** What to ask of the browser before `register` with a passkey. */
  beginPasskey: publicProcedure
    .input(tokenOnly)
    .mutation(({ ctx, input }) => beginInvitedPasskey(ctx.db, ctx.auth, ctx, input)),
  create: provenAccountProcedure("members.change")
    .input(createInvitationInput)
    .mutation(async ({ ctx, input }) => ({
      id: await inviteMember(ctx.db, ctx.auth, ctx.member, input),
    })),
  resend: accountProcedure("members.change")
    .input(invitationIdInput)
    .mutation(async ({ ctx, input }) => {
      await resendInvitation(ctx.db, ctx.auth, ctx.member, input.id);
      return {};
    }),
  revoke: accountProcedure("members.change")
    .input(invitationIdInput)
    .mutation(async ({ ctx, input }) => {
      await revokeInvitation(ctx.db, ctx.member, input.id);
      return {};
    }),
  confirm: provenAccountProcedure("members.change")
    .input(confirmInvitationInput)
    .mutation(async ({ ctx, input }) => {
      await confirmClaim(ctx.db, ctx.auth, ctx.member, input);
      return {};
    }),
});
