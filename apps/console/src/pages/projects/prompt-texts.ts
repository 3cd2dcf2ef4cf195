// Texts of the setting that stores prompts and answers.
import { createTexts } from "../../lib/create-texts.ts";

const storage = {
  title: "Prompts and answers",
  description:
    "Not stored, unless you switch it on for a project: then Logs show what was asked and answered to owners and admins, and to developers for their own keys. It is encrypted at rest, and every member sees that it is on.",
  what: "the projects",
  label: "Prompts and answers of {name}",
  off: "Not stored",
  days: { one: "Stored for {count} day", other: "Stored for {count} days" },
  redact: "Replace secrets and addresses",
  redactHint:
    "API keys, tokens, private keys, email and IP addresses, phone and card numbers of known forms, before anything is stored.",
  unavailable:
    "They cannot be stored: the operator of this installation has to set SEALING_KEY first.",
  stopTitle: "Stop storing prompts and answers of {name}?",
  stopText: "What is stored is no longer shown, and is deleted.",
  stop: "Stop and delete",
} as const;

export const t = createTexts({ storage });
