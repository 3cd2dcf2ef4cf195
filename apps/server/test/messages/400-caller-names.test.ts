// Refusals over an upstream of another language name the fields that the caller of /v1/messages wrote.
import { expect, test } from "bun:test";
import { geminiCatalog } from "../dialects/gemini-catalog.ts";
import { startTestServer, useServer } from "../harness/index.ts";

const { server, account } = await useServer(startTestServer({ catalog: geminiCatalog }));

test.each(["/v1/messages", "/v1/messages/count_tokens", "/v1/estimate"])(
  "%s: an image that Gemini cannot read is named by the caller's path, even with a system prompt",
  async (path) => {
    const image = {
      type: "image",
      source: { type: "url", url: "https://example.com/picture.pdf" },
    };
    const messages = [{ role: "user", content: [{ type: "text", text: "a" }, image] }];
    const fields = { model: "google/scripted", max_tokens: 9, system: "s", messages };
    const answer = await fetch(`${server.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": account.key },
      body: JSON.stringify(fields),
    });
    const { error } = (await answer.json()) as { error: { type: string; message: string } };
    expect([answer.status, error.type]).toEqual([400, "invalid_request_error"]);
    const place = path === "/v1/estimate" ? "messages[0].content[1]" : "messages.0.content.1";
    expect(error.message).toContain(`'${place}'`);
    expect(error.message).not.toContain("image_url");
  },
);
