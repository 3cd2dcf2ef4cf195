// The roles that can be given to members, and what this person may change of one.
import type { Role } from "@turnpike/terms";
import type { Answers } from "../../lib/api.ts";
import { changesOf, type MemberChangeKind } from "../../lib/member-changes.ts";
import { namesOf } from "../../lib/names-of.ts";
import { useMay } from "../../lib/session.ts";
import { useSeveralProjects } from "../../product/projects/projects.tsx";
import { roleNames } from "../../shell/role-names.ts";

const roleHints = {
  admin: "Everything except ownership",
  billing: "Money, usage and the names of keys",
  developer: "Own API keys, their usage and logs, playground",
  viewer: "Looks at everything, changes nothing",
} as const satisfies Record<Exclude<Role, "owner">, string>;

/** Nobody is made an owner here: ownership is offered. */
export const roleChoices = namesOf(roleHints).map((value) => {
  return { value, label: roleNames[value], hint: roleHints[value] };
});

export type ListedMember = Answers["members"]["list"][number];

export function useMemberChanges(): (of: ListedMember) => readonly MemberChangeKind[] {
  const mayChange = useMay("members.change");
  const isOwner = useMay("account.own");
  const several = useSeveralProjects();
  return (of) =>
    mayChange() ? changesOf(of, { isOwner: isOwner(), severalProjects: several() }) : [];
}
