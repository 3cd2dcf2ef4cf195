// The samples of members and invitations, for the test that walks the router.
import type { Sample } from "./walk-sample.fixture.ts";

const owned = { id: "owned" } as const;
const email = "walker@example.com";
const password = "correct horse battery staple";
const token = "no-such-token";

/** The address of the person who claims an invitation. */
export function claimerEmail(invitationId: string): string {
  return `claims-${invitationId}@example.com`;
}

export const memberSamples: Readonly<Record<string, Sample>> = {
  "invitations.read": { public: true, input: () => ({ token }) },
  "invitations.accept": { input: () => ({ token }) },
  "invitations.own": {},
  "invitations.acceptOwn": { input: ({ receivedInvitationId: id }) => ({ id }), ids: owned },
  "invitations.register": {
    public: true,
    input: () => ({ token, name: "Ada", proof: { method: "password", password } }),
  },
  "invitations.beginPasskey": { public: true, input: () => ({ token }) },
  "invitations.create": {
    input: ({ projectId }) => ({ email, role: "viewer", projectIds: [projectId] }),
    ids: { projectIds: "owned" },
    stepUp: "always",
  },
  "invitations.resend": { input: ({ invitationId: id }) => ({ id }), ids: owned },
  "invitations.revoke": { input: ({ invitationId: id }) => ({ id }), ids: owned },
  "invitations.confirm": {
    input: ({ invitationId: id }) => ({ id, email: claimerEmail(id) }),
    ids: owned,
    stepUp: "always",
  },

  "members.list": {},
  "members.invitations": {},
  "members.changeRole": {
    input: ({ personId }) => ({ personId, role: "viewer" }),
    ids: { personId: "owned" },
    stepUp: "always",
  },
  "members.setProjects": {
    input: ({ personId, projectId }) => ({ personId, projectIds: [projectId] }),
    ids: { personId: "owned", projectIds: "owned" },
  },
  "members.remove": {
    input: ({ personId }) => ({ personId, keys: "keep" }),
    ids: { personId: "owned" },
  },
};
