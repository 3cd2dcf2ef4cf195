// Mail domains of organizations as an operator handles them: proven without DNS, and taken away.

import { proveDomainAsOperator, releaseDomain } from "@turnpike/auth";
import { type Command, defineCommand } from "./command.ts";
import { operatorHere } from "./operator-here.ts";

export const domainCommands = {
  "domain prove": defineCommand({
    required: ["domain", "organization"],
    optional: [],
    summary: "takes a domain that an organization added as proven",
    async run({ db }, { domain, organization: slug }) {
      await proveDomainAsOperator(db(), operatorHere(), { domain, slug });
      return { json: { domain, organization: slug }, text: [`Proved ${domain} for ${slug}.`] };
    },
  }),
  "domain release": defineCommand({
    required: ["domain"],
    optional: [],
    summary: "ends the proof of a domain, and what it requires of signing in",
    async run({ db }, { domain }) {
      await releaseDomain(db(), operatorHere(), { domain });
      return { json: { domain }, text: [`Released ${domain}.`] };
    },
  }),
} satisfies Record<string, Command>;
