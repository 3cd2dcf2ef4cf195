// Instructions in the middle of a conversation, as Claude Code sends them: text, or a configuration of the
// answers from there on.
import { expect, test } from "bun:test";
import { parseMessagesRequest } from "./parse-messages-request.ts";

type Fields = Readonly<Record<string, unknown>>;

const user = { role: "user", content: "Hi" };
const directive = (output_config: object, content: unknown = []) => ({
  role: "system",
  content,
  output_config,
});
const parse = (messages: readonly object[], fields: Fields = {}, headers = new Headers()) =>
  parseMessagesRequest(JSON.stringify({ model: "m", max_tokens: 9, messages, ...fields }), headers);

test("the betas that instructions need are passed on", () => {
  const betas = "mid-conversation-system-2026-04-07,per-turn-control-2026-07-01";
  const { passedHeaders } = parse([user], {}, new Headers({ "anthropic-beta": betas }));
  expect(passedHeaders["anthropic-beta"]).toBe(betas);
});

test("the last configuration is the one of the translated request", () => {
  const schema = { type: "json_schema", schema: { type: "object" } };
  const messages = [user, directive({ effort: "high" }), user, directive({ effort: "low" })];
  const output_config = { effort: "medium", format: schema };
  const { parsed } = parse(messages, { output_config });
  expect(parsed).toMatchObject({
    reasoning_effort: "low",
    response_format: { json_schema: { schema: schema.schema } },
  });
  expect(parse([user]).parsed.reasoning_effort).toBeUndefined();
});

test("an instruction without text adds no message to a translated request", () => {
  const answer = { role: "assistant", content: "Ho" };
  const said = directive({ effort: "low" }, "Be brief.");
  const { parsed } = parse([user, directive({ effort: "high" }), answer, user, said]);
  expect(parsed.messages).toEqual([user, answer, user, { role: "system", content: "Be brief." }]);
  const prefilled = parse([user, answer, directive({ effort: "high" })]);
  expect([prefilled.untranslatable, prefilled.parsed.messages]).toEqual([[], [user, answer]]);
});

test("a configuration of the wrong type is refused by its place", () => {
  expect(() => parse([user, directive({ effort: 5 })])).toThrow("messages[1].output_config.effort");
});
