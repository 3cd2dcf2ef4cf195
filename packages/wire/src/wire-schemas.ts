// The published schemas of what the endpoints answer: OpenAI's own for what OpenAI has, ours for the rest.
import credits from "../schema/credits.json";
import generation from "../schema/generation.json";
import key from "../schema/key.json";
import openai from "../schema/openapi-subset.json";
import responses from "../schema/responses.json";

export const wireSchemas = { credits, generation, key, openai, responses } as const;
