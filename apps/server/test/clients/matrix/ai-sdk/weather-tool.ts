// The tool that the tests of the AI SDK offer to models.
import { tool } from "ai";
import { z } from "zod";

export const weather = tool({
  description: "The weather of a city.",
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => ({ city, sky: "clear" }),
});

/** A scripted call of it. */
export const weatherIn = (city: string) => ({
  name: "weather",
  arguments: JSON.stringify({ city }),
});
