// What can be changed of a member of an organization, and what that is called in the members' menu and in the palette.
import type { Answers } from "./api.ts";

export const memberChangeNames = {
  role: "Change role",
  projects: "Change projects",
  offer: "Offer ownership",
  remove: "Remove",
} as const;

export type MemberChangeKind = keyof typeof memberChangeNames;

type Changed = Pick<Answers["members"]["list"][number], "role" | "isOfferedOwnership">;

/** For those who may change members; owners are changed by owners only. */
export function changesOf(
  { role, isOfferedOwnership }: Changed,
  { isOwner, severalProjects }: { isOwner: boolean; severalProjects: boolean },
): readonly MemberChangeKind[] {
  if (role === "owner") return isOwner ? ["role", "remove"] : [];
  // Admins have all projects, whatever is set for them.
  const hasAll = role === "admin";
  const kinds: readonly (MemberChangeKind | false)[] = [
    "role",
    severalProjects && !hasAll && "projects",
    isOwner && !isOfferedOwnership && "offer",
    "remove",
  ];
  return kinds.filter((kind) => kind !== false);
}
