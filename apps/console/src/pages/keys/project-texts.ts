// Texts about the project of a key.
import { createTexts } from "../../lib/create-texts.ts";

const project = {
  label: "Project",
  all: "All projects",
  move: "Move to another project",
  moveTitle: "Move {name}",
  moveHint: "From now on its usage, logs and budgets count there, those of the past too.",
  submit: "Move key",
  moved: "Moved {name} to {project}",
} as const;

export const t = createTexts({ project });
