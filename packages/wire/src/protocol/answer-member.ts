// The answer in a whole body, or as a member of the event that ends a stream: read, and edited in its text.
import { editJsonObject, findMembers, memberText } from "../json/edit-json-object.ts";
import { setInnerMembers, setMembers } from "../json/set-members.ts";

const dataPrefix = "data: ";

/** `answer` is a whole one, or what ends a stream, where the answer is the member `key` of its last event. */
export function answerText(answer: string, key: string): string {
  const { start, end } = jsonIn(answer);
  const json = answer.slice(start, end);
  return start === 0 ? json : (memberText(json, findMembers(json), key) ?? "{}");
}

/** `answer` with members of the answer in it set, as JSON texts. */
export function setInAnswer(
  answer: string,
  key: string,
  set: Readonly<Record<string, string>>,
): string {
  return editJson(answer, (json, isEvent) =>
    isEvent ? setInnerMembers(json, key, set) : setMembers(json, set),
  );
}

/** The end of a stream without a member of its answer; a whole answer as it is. */
export function withoutInEvent(answer: string, key: string, name: string): string {
  return editJson(answer, (json, isEvent) => {
    const members = findMembers(json);
    const inner = memberText(json, members, key);
    if (!isEvent || inner === undefined) return json;
    const edited = editJsonObject(inner, findMembers(inner), { remove: [name] });
    return editJsonObject(json, members, { set: { [key]: edited } });
  });
}

function editJson(answer: string, edit: (json: string, isEvent: boolean) => string): string {
  const { start, end } = jsonIn(answer);
  return answer.slice(0, start) + edit(answer.slice(start, end), start > 0) + answer.slice(end);
}

/** Of the JSON that is the answer, or whose event ends the stream with it. */
function jsonIn(answer: string): { readonly start: number; readonly end: number } {
  // A marker of the end may follow, which is no JSON.
  const line = answer.lastIndexOf(`\n${dataPrefix}{`);
  if (line === -1) return { start: 0, end: answer.length };
  const start = line + 1 + dataPrefix.length;
  const end = answer.indexOf("\n", start);
  return { start, end: end === -1 ? answer.length : end };
}
