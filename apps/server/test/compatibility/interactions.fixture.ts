// Google's Interactions API as its clients see it, for the table of protocols and dialects.
import { asObject, at, type JsonObject } from "../harness/index.ts";
import {
  type ClientProtocol,
  listOf,
  parseEvents,
  type Reply,
  textOf,
} from "./protocols.fixture.ts";

const parameters = { type: "object", properties: { city: { type: "string" } } };

function readWhole({ steps, status }: JsonObject): Reply {
  const given = listOf(steps);
  return {
    text: given
      .filter(({ type }) => type === "model_output")
      .flatMap(({ content }) => listOf(content).map(({ text }) => textOf(text)))
      .join(""),
    calls: given
      .filter(({ type }) => type === "function_call")
      .map(({ name, arguments: given }) => ({ name: textOf(name), arguments: given })),
    reasoned: given.some(({ type, summary }) => type === "thought" && listOf(summary).length > 0),
    complete: status === "completed" || status === "requires_action",
    failed: false,
  };
}

function readStream(streamed: string): Reply {
  const { events } = parseEvents(streamed);
  const of = (type: string) => events.filter(({ event_type }) => event_type === type);
  const deltas = of("step.delta").map((event) => asObject(event.delta));
  const calls = of("step.start").filter((event) => at(event, "step.type") === "function_call");
  return {
    text: deltas.map(({ type, text }) => (type === "text" ? textOf(text) : "")).join(""),
    calls: calls.map(({ index, step }) => {
      const said = of("step.delta")
        .filter((event) => event.index === index)
        .map((event) => textOf(at(event, "delta.arguments")));
      return { name: textOf(asObject(step).name), arguments: JSON.parse(said.join("")) };
    }),
    reasoned: deltas.some(({ type }) => type === "thought_summary"),
    complete: of("interaction.completed").length === 1,
    failed: of("error").length === 1,
  };
}

export const interactions: ClientProtocol = {
  name: "interactions",
  path: "/interactions",
  ask: (model, { text, stream, tools, image, schemaMember, reasoning }) => ({
    model,
    input:
      image === undefined
        ? text
        : [
            { type: "text", text },
            { type: "image", mime_type: "image/png", data: image },
          ],
    generation_config: {
      max_output_tokens: 2_000,
      ...(reasoning && { thinking_level: "low", thinking_summaries: "auto" }),
    },
    ...(stream && { stream }),
    ...(tools && { tools: tools.map((name) => ({ type: "function", name, parameters })) }),
    ...(schemaMember && {
      response_format: {
        type: "text",
        mime_type: "application/json",
        schema: {
          type: "object",
          properties: { [schemaMember]: { type: "string" } },
          required: [schemaMember],
        },
      },
    }),
  }),
  readWhole,
  readStream,
};
