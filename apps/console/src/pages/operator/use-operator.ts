// What the operator who is signed in may ask and do: the server says so by the table of verbs, and decides.
import type { Inputs } from "../../lib/api.ts";
import { useMe } from "../../lib/session.ts";

type Verbs = Inputs["operator"];
export type VerbName = {
  [Noun in keyof Verbs & string]: `${Noun}.${keyof Verbs[Noun] & string}`;
}[keyof Verbs & string];

export function useOperatorMay(): (verb: VerbName) => boolean {
  const me = useMe();
  return (verb) => me.data?.person.verbs.includes(verb) === true;
}
