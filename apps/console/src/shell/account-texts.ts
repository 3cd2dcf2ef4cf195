// Texts about accounts and roles, which load with what shows them.
import { createTexts } from "../lib/create-texts.ts";

const account = {
  personal: "Personal account",
  switcher: "Account: {name}",
  prefix: "Account:",
  accounts: "Accounts",
  create: "Create organization",
  createHint: "An account that several people share, with its own wallet, keys and logs.",
  name: "Name",
  nameMissing: "Enter a name.",
  creating: "Creating…",
  missing: "There is no account at this address, or you are not a member of it.",
  missingHint: "You are signed in as {email}. Open one of your accounts:",
  noPermission: "Your role in {name} does not include this page.",
  noPermissionHint: "You are {role}. Ask an owner or admin of the account.",
  offer: "You were offered the ownership of {name}.",
  accept: "Accept",
  decline: "Decline",
} as const;

const role = {
  owner: "Owner",
  admin: "Admin",
  billing: "Billing",
  developer: "Developer",
  viewer: "Viewer",
} as const;

export const t = createTexts({ account, role });
