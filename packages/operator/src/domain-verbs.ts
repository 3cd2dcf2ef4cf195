// Mail domains of organizations: proven without DNS, and taken away.
import { proveDomainAsOperator, releaseDomain } from "@turnpike/accounts";
import { slugCharsMax } from "@turnpike/terms";
import { line } from "./inputs.ts";
import { actorOf, command, owners } from "./verb.ts";

const domainInput = line(253);

export const domainVerbs = {
  prove: command({
    roles: owners,
    label: "Prove domain",
    summary: "takes a domain that an organization added as proven",
    input: { domain: domainInput, organization: line(slugCharsMax) },
    reasonIsOptional: true,
    async run({ db }, by, { domain, organization, reason }) {
      await proveDomainAsOperator(db, actorOf(by, reason), { domain, slug: organization });
      return { domain, organization };
    },
  }),
  release: command({
    roles: owners,
    label: "Release domain",
    summary: "ends the proof of a domain, and what it requires of signing in",
    input: { domain: domainInput },
    reasonIsOptional: true,
    async run({ db }, by, { domain, reason }) {
      await releaseDomain(db, actorOf(by, reason), { domain });
      return { domain };
    },
  }),
};
