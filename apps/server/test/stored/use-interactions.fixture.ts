// Interactions as a client of Google's API keeps, reads and deletes them.
import { postGemini } from "../gemini/ask-gemini.fixture.ts";
import {
  answerWith,
  asObject,
  at,
  type JsonObject,
  type TestAccount,
  type TestServer,
  testModels,
} from "../harness/index.ts";
import { eventsOf } from "../interactions/ask-interactions.fixture.ts";

export function useInteractions(server: TestServer, own: TestAccount) {
  /** `path` stands behind `…/interactions`. */
  const ask = (path: string, method = "GET", key = own.key, base = "/v1beta") =>
    fetch(`${server.url}${base}/interactions${path}`, {
      method,
      headers: { "x-goog-api-key": key },
    });
  const create = (fields: JsonObject, key = own.key) =>
    postGemini(server, { key })("/v1beta/interactions", { model: testModels.cheap, ...fields });
  return {
    ask,
    create,
    /** The upstream answers with `text`. */
    async say(text: string, fields: JsonObject, key?: string): Promise<Interaction> {
      answerWith(server, { text });
      return interactionOf(await create({ store: true, ...fields }, key));
    },
  };
}

type Interaction = JsonObject & { readonly id: string };

/** Of an answer, whole or streamed. */
export async function interactionOf(answer: Response): Promise<Interaction> {
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${answer.status} ${text}`);
  const interaction = text.startsWith("{")
    ? asObject(JSON.parse(text))
    : asObject(at(eventsOf(text).at(-1), "interaction"));
  return { ...interaction, id: String(interaction.id) };
}

export const said = (text: string) => ({
  type: "user_input",
  content: [{ type: "text", text }],
});

export const answered = (text: string) => ({
  type: "model_output",
  content: [{ type: "text", text }],
});
