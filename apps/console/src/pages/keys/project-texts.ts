// Texts about the project of a key.
import { createTexts } from "../../lib/create-texts.ts";

const project = {
  label: "Project",
  all: "All projects",
  move: "Move to another project",
  moveTitle: "Move {name}",
  moveHint:
    "Its usage and logs are shown there, those of the past too. From now on it spends from the budgets of that project.",
  submit: "Move key",
  moved: "Moved {name} to {project}",
} as const;

export const t = createTexts({ project });
