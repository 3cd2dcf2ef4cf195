// Texts of the banner over an account that an operator views.
import { createTexts } from "../lib/create-texts.ts";

const view = {
  operator: "You are viewing {name} as its viewers do, read-only, until {time}.",
  member:
    "Support is viewing this account, read-only, until {time}. The reason is in the audit log.",
  end: "End view",
  ending: "Ending…",
  ended: "ended in the console",
} as const;

export const t = createTexts({ view });
