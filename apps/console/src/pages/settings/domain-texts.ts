// Texts about the mail domains of an organization.
import { createTexts } from "../../lib/create-texts.ts";

const domains = {
  title: "Mail domains",
  description:
    "Prove that a domain is yours, and require how everyone with an address there signs in.",
  what: "your domains",
  field: "Domain",
  missing: "Enter a domain such as example.com.",
  add: "Add domain",
  adding: "Adding…",
  added: "{domain} was added.",
  proven: "Proven",
  unproven: "Not proven",
  record: "Add this TXT record at your DNS provider, then check it.",
  name: "Name",
  value: "Value",
  copyName: "Copy name",
  copyValue: "Copy value",
  check: "Check record",
  checking: "Checking…",
  checked: "{domain} is proven.",
  require: "Sign-in of {domain}",
  any: "Any way",
  only: "Only with {name}",
  required: "Addresses at {domain} sign in with {name} now.",
  lifted: "Addresses at {domain} sign in any way now.",
  askTitle: "Require {name} for {domain}?",
  askBody:
    "Everyone with an address at {domain}, member of this organization or not, must sign in with {name}. Anyone who signed in another way is signed out now.",
  ask: "Require it",
  remove: "Remove",
  removeThis: "Remove {domain}",
  removeTitle: "Remove {domain}?",
  removeBody: "What it requires of signing in ends, and others can prove the domain.",
  removed: "{domain} was removed.",
  saving: "Saving…",
} as const;

export const t = createTexts({ domains });
