// Whether a provider's error is about this gateway's own standing with it, whatever its status: many providers say
// with a 400, a 404 or a 429 that the operator's balance is used up or that a model has ended.
import type { UpstreamRefusal } from "@turnpike/base";
import { accountRefusals } from "./account-refusals.ts";
import { modelRefusals } from "./model-refusals.ts";
import type { UpstreamError } from "./parse-error-body.ts";

/** The longest beginning of a message that is looked at. */
const sentenceCharsMax = 500;

const wordings = [
  ...accountRefusals.map((wording) => ({ ...wording, refuses: "account" as const })),
  ...modelRefusals.map((wording) => ({ ...wording, refuses: "model" as const })),
];

const byName = new Map<string, UpstreamRefusal>(
  wordings.flatMap(({ names = [], refuses }) =>
    names.map((name) => [name.toLowerCase(), refuses] as const),
  ),
);

const bySentence = wordings.flatMap(({ says = [], refuses }) =>
  says.map((sentence) => ({ sentence, refuses })),
);

/** What of ours is refused; undefined is nothing: the error is about the request, or a failure. */
export function refusesGateway(status: number, error: UpstreamError): UpstreamRefusal | undefined {
  const refused = findName(error) ?? findSentence(error.message);
  // A 404 without a word about the request: nothing is served at the operator's address.
  if (refused === undefined) return isBare404(status, error) ? "model" : undefined;
  return refused === "model" && isAboutAnotherField(error) ? undefined : refused;
}

function findName({ reason, code, type }: UpstreamError): UpstreamRefusal | undefined {
  for (const name of [reason, code, type]) {
    const refused = name === undefined ? undefined : byName.get(name.toLowerCase());
    if (refused !== undefined) return refused;
  }
  return undefined;
}

function findSentence(message: string | undefined): UpstreamRefusal | undefined {
  if (message === undefined) return undefined;
  const said = message.slice(0, sentenceCharsMax).toLowerCase();
  return bySentence.find(({ sentence }) => sentence.test(said))?.refuses;
}

function isBare404(status: number, { message, code, param }: UpstreamError): boolean {
  return status === 404 && message === undefined && code === undefined && param === undefined;
}

/** A model that the caller names itself, such as that of a tool. */
function isAboutAnotherField({ param }: UpstreamError): boolean {
  return param !== undefined && param !== "model";
}
