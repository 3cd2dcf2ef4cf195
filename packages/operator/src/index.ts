// The operator's desk: what operators query and do, as one table of verbs.
export { expelMember } from "./account/expel-member.ts";
export type { NamedAccount } from "./account/query-account.ts";
export type { CatalogFiles } from "./catalog-files.ts";
export { requireRecordedExport } from "./export-verbs.ts";
export { addressesInput, idInput, instantInput, line, namesInput } from "./inputs.ts";
export { holdOperator, requireOperator } from "./require-operator.ts";
export type {
  AnyVerb,
  Command,
  Delivery,
  Operator,
  OperatorServices,
  Query,
  StatementOf,
} from "./verb.ts";
export { verbNames, verbOf, verbs, verbsOf } from "./verbs.ts";
