// Every verb of the desk, by noun: `account.suspend` is a procedure of the console and `admin account suspend`.
import type { OperatorRole } from "@turnpike/db";
import { accountListVerbs } from "./account-list-verbs.ts";
import { accountVerbs } from "./account-verbs.ts";
import { batchVerbs } from "./batch-verbs.ts";
import { catalogVerbs } from "./catalog-verbs.ts";
import { companyVerbs } from "./company-verbs.ts";
import { costVerbs } from "./cost-verbs.ts";
import { accountDeletionVerbs, personDeletionVerbs } from "./deletion-verbs.ts";
import { describeVerb, type VerbForm } from "./describe-verb.ts";
import { deskVerbs, formVerbs } from "./desk-verbs.ts";
import { domainVerbs } from "./domain-verbs.ts";
import { exportVerbs } from "./export-verbs.ts";
import { incidentVerbs } from "./incident-verbs.ts";
import { keyLimitVerbs } from "./key-limit-verbs.ts";
import { keyVerbs } from "./key-verbs.ts";
import { memberVerbs } from "./member-verbs.ts";
import { modelVerbs } from "./model-verbs.ts";
import { moneyVerbs } from "./money-verbs.ts";
import { operatorVerbs } from "./operator-verbs.ts";
import { personVerbs } from "./person-verbs.ts";
import { mailVerbs, stripeVerbs, webhookVerbs } from "./queue-verbs.ts";
import { requestVerbs } from "./request-verbs.ts";
import { statementVerbs } from "./statement-verbs.ts";
import { maintenanceVerbs, routeVerbs } from "./switch-verbs.ts";
import { jobVerbs, systemVerbs } from "./system-verbs.ts";
import { topUpVerbs } from "./top-up-verbs.ts";
import type { AnyVerb } from "./verb.ts";
import { viewVerbs } from "./view-verbs.ts";

export const verbs = {
  account: { ...accountListVerbs, ...accountVerbs, ...exportVerbs, ...accountDeletionVerbs },
  batch: batchVerbs,
  catalog: catalogVerbs,
  cost: costVerbs,
  company: companyVerbs,
  desk: { ...deskVerbs, ...formVerbs(formsOf) },
  domain: domainVerbs,
  incident: incidentVerbs,
  job: jobVerbs,
  key: { ...keyVerbs, ...keyLimitVerbs },
  mail: mailVerbs,
  maintenance: maintenanceVerbs,
  member: memberVerbs,
  model: modelVerbs,
  money: moneyVerbs,
  operator: operatorVerbs,
  person: { ...personVerbs, ...personDeletionVerbs },
  request: requestVerbs,
  route: routeVerbs,
  statement: statementVerbs,
  stripe: stripeVerbs,
  system: systemVerbs,
  topUp: topUpVerbs,
  view: viewVerbs,
  webhook: webhookVerbs,
};

const named: ReadonlyMap<string, AnyVerb> = new Map(
  Object.entries(verbs).flatMap(([noun, group]) =>
    Object.entries(group).map(([name, verb]): [string, AnyVerb] => [`${noun}.${name}`, verb]),
  ),
);

/** What operators of a role may ask and do. */
export function verbsOf(role: OperatorRole): readonly string[] {
  return verbNames.filter((name) => named.get(name)?.roles.includes(role));
}

/** For the forms of the desk. */
function formsOf(role: OperatorRole): readonly VerbForm[] {
  return [...named].flatMap(([name, verb]) =>
    verb.roles.includes(role) ? describeVerb(name, verb) : [],
  );
}

/** As `account.suspend`. */
export const verbNames: readonly string[] = [...named.keys()];

export function verbOf(name: string): AnyVerb | undefined {
  return named.get(name);
}
