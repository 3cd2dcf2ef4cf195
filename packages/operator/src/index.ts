// The operator's desk: what operators query and do, as one table of verbs.
export type { CatalogFiles } from "./catalog-files.ts";
export { idInput, line } from "./inputs.ts";
export { holdOperator, requireOperator } from "./require-operator.ts";
export type { AnyVerb, Command, Operator, OperatorServices, Query } from "./verb.ts";
export { verbNames, verbOf, verbs, verbsOf } from "./verbs.ts";
