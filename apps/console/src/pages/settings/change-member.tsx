// What can be done to a member: another role, other projects, the offer of ownership, removal with what happens to their keys.
import { api, type Inputs } from "../../lib/api.ts";
import type { MemberChangeKind } from "../../lib/member-changes.ts";
import { meKey } from "../../lib/session.ts";
import { roleNames } from "../../shell/role-names.ts";
import { askChange, askQuestion } from "../../ui/dialogs/open-dialog.tsx";
import { type ListedMember, roleChoices } from "./member-roles.ts";
import { checkScope, ProjectScopeField, parseScope, writeScope } from "./project-scope.tsx";

type Role = Inputs["members"]["changeRole"]["role"];
type KeyFate = Inputs["members"]["remove"]["keys"];

export const membersKey = ["members", "list"] as const;

const refreshes = [membersKey, meKey];

/** Opens the dialog of each change. */
export const changeMember = {
  role: ({ email, id: personId, role }) =>
    askChange<{ role: Role }, unknown>({
      title: `Change the role of ${email}`,
      initial: { role: role === "owner" ? "admin" : role },
      fields: [
        { kind: "cards", name: "role", label: "Role", hideLabel: true, choices: roleChoices },
      ],
      confirmLabel: "Change role",
      pendingLabel: "Saving…",
      run: (chosen) => api.members.changeRole.mutate({ personId, role: chosen.role }),
      refreshes,
      toast: (_, chosen) => `${email} is now ${roleNames[chosen.role].toLowerCase()}.`,
    }),
  projects: ({ email, id: personId, projectIds }) =>
    askChange({
      title: `Change the projects of ${email}`,
      initial: { scope: writeScope(projectIds) },
      validate: ({ scope }) => ({ scope: checkScope(scope) }),
      fields: (form) => <ProjectScopeField {...form.field("scope")} />,
      confirmLabel: "Change projects",
      pendingLabel: "Saving…",
      run: ({ scope }) =>
        api.members.setProjects.mutate({ personId, projectIds: parseScope(scope) }),
      refreshes,
      toast: `The projects of ${email} are saved.`,
    }),
  offer: ({ email, id: personId }) =>
    askQuestion({
      title: `Offer ${email} the ownership?`,
      text: "Once they accept, they are an owner like you: they decide about members, money and the organization itself. Nothing changes until then.",
      confirmLabel: "Offer ownership",
      run: () => api.accounts.offerOwnership.mutate({ personId }),
      refreshes,
      toast: `${email} was offered the ownership.`,
    }),
  remove: ({ email, id: personId }) =>
    askChange<{ keys: KeyFate }, unknown>({
      title: `Remove ${email}?`,
      text: "They lose access with their next request. Invitations they sent stop working.",
      initial: { keys: "revoke" },
      fields: [{ kind: "cards", name: "keys", label: "Their API keys", choices: keyFates }],
      question: {},
      confirmLabel: "Remove",
      pendingLabel: "Removing…",
      run: ({ keys }) => api.members.remove.mutate({ personId, keys }),
      refreshes,
      toast: `${email} was removed.`,
    }),
} satisfies Record<MemberChangeKind, (of: ListedMember) => void>;

const keyFates = [
  {
    value: "revoke",
    label: "Revoke them",
    hint: "Also keys whose secret they were shown, and webhooks to addresses they chose. Programs that use them are refused within a second.",
  },
  {
    value: "keep",
    label: "Keep them",
    hint: "They keep working. The person may still know the secrets.",
  },
  {
    value: "hand_over",
    label: "Hand them over to me",
    hint: "They keep working, as keys that you made.",
  },
] as const;
