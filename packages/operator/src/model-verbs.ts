// What an operator asks about the models of this installation, and switches off and on.
import { listModels } from "./list-models.ts";
import { modelSwitchVerbs } from "./switch-verbs.ts";
import { everyone, query } from "./verb.ts";

export const modelVerbs = {
  list: query({
    roles: everyone,
    summary: "every model with its routes: offered or not and why, health, price and cost",
    input: {},
    run: ({ db, catalogFiles }) => listModels(db, catalogFiles.current()),
  }),
  ...modelSwitchVerbs,
};
