// The texts around rendered Markdown.
import { createTexts } from "../../lib/create-texts.ts";

const markdown = {
  code: "Code",
  table: "Table, scrollable",
  tooHard: "Shown as plain text: its formatting takes too long to read.",
} as const;

export const t = createTexts({ markdown });
