// How the console names the roles of members.

export const roleNames = {
  owner: "Owner",
  admin: "Admin",
  billing: "Billing",
  developer: "Developer",
  viewer: "Viewer",
} as const;
