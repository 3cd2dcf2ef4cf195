// Texts of the catalog's page at the operator's desk.
import { createTexts } from "../../lib/create-texts.ts";

const editor = {
  what: "the catalog",
  title: "Catalog",
  fromFile: "In force: the file of each server. What you apply here replaces it on all of them.",
  edited: "In force: what was applied here, instead of the files of the servers.",
  label: "Text of the catalog",
  hint: "Name the keys of providers by their variables, as the text in force does: they stay in the environment of the servers.",
  apply: "Apply…",
  discard: "Discard changes",
  applyTitle: "Apply this catalog?",
  applyBody: "Every server uses it within seconds. Calls that have begun go on.",
  applyConfirm: "Apply",
  release: "Return to the files…",
  releaseTitle: "Return to the files of the servers?",
  releaseBody: "Each server reads its CATALOG_FILE again. They must be the same.",
  releaseConfirm: "Return",
} as const;

const changes = {
  title: "What it changes",
  checking: "Checking…",
  none: "Nothing but the text.",
  mistakes: { one: "{count} mistake", other: "{count} mistakes" },
  unknownFields: "Fields that are not known and have no effect",
  added: "Models that are added",
  removed: "Models that are removed",
  repriced: "Models whose prices change",
  rerouted: "Models whose routes change",
  belowCost: "Routes that sell below cost",
  hidden: "Models without credentials here",
} as const;

const versions = {
  title: "Applied here",
  caption: "Texts that were applied, newest first",
  none: "Nothing was applied here yet.",
  id: "No.",
  by: "By",
  reason: "Why",
  at: "When",
  files: "returned to the files",
  rollback: "Apply again",
  rollbackTitle: "Apply text {id} again?",
  rollbackBody: "It replaces what is in force now, on every server.",
} as const;

const prices = {
  title: "Price history",
  what: "the prices",
  model: "Model",
  caption: "Prices of {model}, newest first",
  since: "Since",
  input: "Input, USD per million",
  cached: "Cached input",
  output: "Output",
} as const;

export const t = createTexts({ editor, changes, versions, prices });
