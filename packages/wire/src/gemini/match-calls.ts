// Calls of functions and their results. Gemini's calls may have no id: then results belong to calls by name and order. Each
// call is answered in the very next turn of the user, as chat completions require.
import { type JsonObject, parseText } from "@turnpike/base";
import { brokenRule } from "../checks/body-fault.ts";

type OpenCall = { readonly id: string; readonly name: string; readonly path: string };

export class CallMatcher {
  #open: OpenCall[] = [];
  #made = 0;

  /** The id of a call of the model, its own or a new one. */
  call(call: JsonObject, path: string): string {
    const name = String(call.name);
    const own = parseText(call.id);
    this.#made += 1;
    const id = own === undefined || own === "" ? `call_${this.#made}` : own;
    this.#open.push({ id, name, path });
    return id;
  }

  /** The id of the call that a result is for. Throws Fault for one that nothing has called for. */
  result(result: JsonObject, path: string): string {
    const id = parseText(result.id);
    const name = parseText(result.name);
    const byId = this.#open.findIndex((call) => id !== undefined && call.id === id);
    const at = byId === -1 ? this.#open.findIndex((call) => call.name === name) : byId;
    const [matched] = at === -1 ? [] : this.#open.splice(at, 1);
    if (matched !== undefined) return matched.id;
    throw brokenRule(
      path,
      `'${path}' has no call: a 'functionResponse' follows the turn of its 'functionCall', with its name.`,
    );
  }

  /** The turn that answers calls is over. Throws Fault for one that has no result. */
  endAnswers(): void {
    const [first] = this.#open;
    if (first === undefined) return;
    throw brokenRule(
      first.path,
      `'${first.path}' has no result: each 'functionCall' needs a 'functionResponse' in the next turn.`,
    );
  }
}
