// How the console names the roles of members.
import type { Role } from "@turnpike/terms";

export const roleNames = {
  owner: "Owner",
  admin: "Admin",
  billing: "Billing",
  developer: "Developer",
  viewer: "Viewer",
} as const satisfies Record<Role, string>;
