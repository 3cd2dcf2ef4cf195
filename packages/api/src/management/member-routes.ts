// Members and invitations over the management API.
import { openInvitationsMax } from "@turnpike/accounts";
import { roles } from "@turnpike/terms";
import { z } from "zod";
import {
  confirmInvitationInput,
  createInvitationInput,
  invitationIdInput,
} from "../routers/invitations.ts";
import { changeRoleInput, removeMemberInput, setMemberProjectsInput } from "../routers/members.ts";
import { defineRoute, nothing, pageInput, pageOf, pageSchema } from "./define-route.ts";

const membersPath = "/v1/management/members";
const invitationsPath = "/v1/management/invitations";

const role = z.enum(roles).describe("What they may do.");
const instant = z.iso.datetime();
const projectIds = z
  .array(z.uuid())
  .readonly()
  .nullable()
  .describe("The projects they see; null for all.");

const memberSchema = z
  .object({
    id: z.uuid().describe("Id of the person."),
    email: z.string().describe("Their email address."),
    name: z.string().describe("Their name."),
    role,
    projectIds,
    joinedAt: instant.describe("When they joined."),
    isOfferedOwnership: z
      .boolean()
      .describe("Was offered to become an owner and has not answered."),
  })
  .meta({ id: "Member" });

const invitationSchema = z
  .object({
    id: z.uuid().describe("Id of the invitation."),
    email: z.string().describe("The address it was sent to."),
    role,
    projectIds,
    invitedBy: z.string().describe("The email address of the member who invited them."),
    createdAt: instant.describe("When it was first sent."),
    expiresAt: instant.describe("When it expires: seven days after it was last sent."),
    expired: z.boolean().describe("Whether it has expired."),
    claimedBy: z
      .string()
      .nullable()
      .describe("The address of someone else who opened the link: a member has to confirm them."),
  })
  .meta({ id: "Invitation" });

export const memberRoutes = [
  defineRoute({
    method: "GET",
    path: membersPath,
    tag: "Members",
    summary: "List members",
    procedure: "members.list",
    status: 200,
    input: z.strictObject(pageInput),
    output: pageSchema(memberSchema),
    run: async ({ caller }, page) =>
      pageOf(await caller.members.list(), page, { atOf: ({ joinedAt }) => joinedAt }),
  }),
  defineRoute({
    method: "PATCH",
    path: `${membersPath}/{person_id}`,
    tag: "Members",
    summary: "Change the role of a member",
    description: "Nobody is made an owner this way, and the last owner keeps their role.",
    procedure: "members.changeRole",
    status: 200,
    input: changeRoleInput,
    output: nothing,
    run: ({ caller }, fields) => caller.members.changeRole(fields),
  }),
  defineRoute({
    method: "PATCH",
    path: `${membersPath}/{person_id}/projects`,
    tag: "Members",
    summary: "Change which projects a member sees",
    description: "`project_ids` is null for all projects.",
    procedure: "members.setProjects",
    status: 200,
    input: setMemberProjectsInput,
    output: nothing,
    run: ({ caller }, fields) => caller.members.setProjects(fields),
  }),
  defineRoute({
    method: "DELETE",
    path: `${membersPath}/{person_id}`,
    tag: "Members",
    summary: "Remove a member",
    description:
      "Their next request is refused. `keys` decides what happens to the API keys they made: `revoke`, `keep`, or `hand_over` to the creator of the management key.",
    procedure: "members.remove",
    status: 200,
    input: removeMemberInput,
    output: nothing,
    run: ({ caller }, fields) => caller.members.remove(fields),
  }),
];

export const invitationRoutes = [
  defineRoute({
    method: "GET",
    path: invitationsPath,
    tag: "Invitations",
    summary: "List open invitations",
    procedure: "members.invitations",
    status: 200,
    input: z.strictObject(pageInput),
    output: pageSchema(invitationSchema),
    run: async ({ caller }, page) =>
      pageOf(await caller.members.invitations(), page, { atOf: ({ createdAt }) => createdAt }),
  }),
  defineRoute({
    method: "POST",
    path: invitationsPath,
    tag: "Invitations",
    summary: "Invite someone by email",
    description: `The invitation expires after seven days. At most ${openInvitationsMax} can be open; more are refused with 409.`,
    procedure: "invitations.create",
    status: 201,
    input: createInvitationInput,
    output: z.object({ id: z.uuid().describe("Id of the invitation.") }),
    run: ({ caller }, fields) => caller.invitations.create(fields),
  }),
  defineRoute({
    method: "POST",
    path: `${invitationsPath}/{id}/resend`,
    tag: "Invitations",
    summary: "Send an invitation again",
    description: "With a new link; the former one no longer works.",
    procedure: "invitations.resend",
    status: 200,
    input: invitationIdInput,
    output: nothing,
    run: ({ caller }, fields) => caller.invitations.resend(fields),
  }),
  defineRoute({
    method: "POST",
    path: `${invitationsPath}/{id}/confirm`,
    tag: "Invitations",
    summary: "Let someone join who uses another address",
    procedure: "invitations.confirm",
    status: 200,
    input: confirmInvitationInput,
    output: nothing,
    run: ({ caller }, fields) => caller.invitations.confirm(fields),
  }),
  defineRoute({
    method: "DELETE",
    path: `${invitationsPath}/{id}`,
    tag: "Invitations",
    summary: "Revoke an invitation",
    procedure: "invitations.revoke",
    status: 200,
    input: invitationIdInput,
    output: nothing,
    run: ({ caller }, fields) => caller.invitations.revoke(fields),
  }),
];
