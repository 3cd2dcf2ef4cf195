// Random bodies of OpenAI's Responses API that callers may send: items in any order, with their outputs.
import fc from "fast-check";
import { bothSampled, repeated, spoken, text } from "./random-texts.fixture.ts";
import {
  toolNames as names,
  callsOfTurn as round,
  schemasOfTools,
} from "./random-tools.fixture.ts";

const part = (type: string) => spoken.map((said) => ({ type, text: said }));
const responsesTurn = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .array(
        fc.oneof(
          part("input_text"),
          fc.constant({ type: "input_image", image_url: "data:image/png;base64,iVBORw0KGgo=" }),
        ),
        { minLength: 1, maxLength: 2 },
      )
      .map((content) => [{ type: "message", role: "user", content }]),
  },
  { weight: 1, arbitrary: spoken.map((content) => [{ role: "developer", content }]) },
  {
    weight: 3,
    arbitrary: part("output_text").map((content) => [
      { type: "reasoning", summary: [{ type: "summary_text", text: "Hm." }], content: [] },
      { type: "message", role: "assistant", content: [content] },
    ]),
  },
  {
    weight: 4,
    arbitrary: fc.tuple(round, text, fc.boolean()).map(([{ calls, order }, output, isTwice]) => {
      const outputs = order.map((call_id) => ({ type: "function_call_output", call_id, output }));
      const made = calls.map((call) => ({
        type: "function_call",
        call_id: call.id,
        name: call.name,
        arguments: '{"a":1}',
      }));
      return [...made, ...outputs, ...(isTwice ? outputs.slice(0, 1) : [])];
    }),
  },
);
export const randomResponsesBody = fc
  .record({ input: repeated<object>(responsesTurn), sampled: bothSampled, schemas: schemasOfTools })
  .map((made) => ({
    model: "m",
    ...made.sampled,
    input: made.input,
    tools: names.map((name, at) => ({
      type: "function",
      name,
      parameters: made.schemas[at],
      strict: false,
    })),
  }));
