// Which calls are cut when their client leaves: only those whose cost can be seen while they run.
import { expect, test } from "bun:test";
import { isBilledAsDelivered } from "./bill-ending.ts";
import { askFor, chatModel } from "./chat-model.fixture.ts";

const [route] = chatModel.routes;

test("a chat stream of text is cut, where the provider then stops billing", () => {
  expect(isBilledAsDelivered(askFor(), route)).toBe(true);
  const provider = { ...route.provider, cancelledStream: "billed_whole" } as const;
  expect(isBilledAsDelivered(askFor(), { ...route, provider })).toBe(false);
});

test("a call whose cost cannot be seen while it runs is run to its end", () => {
  const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
  const hidden = { ...chatModel, reasoning: "hidden" } as const;
  for (const asked of [
    askFor({ stream: false }),
    askFor({ messages: [{ role: "user", content: [image] }] }),
    askFor({}, hidden),
  ]) {
    expect(isBilledAsDelivered(asked, route)).toBe(false);
  }
});
