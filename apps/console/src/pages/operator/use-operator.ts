// What the operator who is signed in may ask and do: the server says so by the table of verbs, and decides.
import type { QueryObserverResult } from "@tanstack/solid-query";
import type { Accessor } from "solid-js";
import type { Inputs } from "../../lib/api.ts";
import { useMe } from "../../lib/session.ts";
import { useAnswer } from "../../lib/use-query.ts";

type Verbs = Inputs["operator"];
export type VerbName = {
  [Noun in keyof Verbs & string]: `${Noun}.${keyof Verbs[Noun] & string}`;
}[keyof Verbs & string];

export function useOperatorMay(): (verb: VerbName) => boolean {
  const me = useMe();
  return (verb) => me.data?.person.verbs.includes(verb) === true;
}

/** Of all that the desk shows. */
export const deskKey = ["operator"] as const;

export type Question<Input, Data> = {
  readonly query: (input: Input, call: { signal: AbortSignal }) => Promise<Data>;
};

/** What the server answers to a question of the desk: loaded again after every action. */
export function useDesk<Input, Data>(
  name: string,
  question: Question<Input, Data>,
  input: Accessor<Input>,
): QueryObserverResult<Data, Error> {
  return useAnswer(
    () => [...deskKey, name, input()],
    (call) => question.query(input(), call),
  );
}
