// Addresses of images to embed or to moderate: a provider that the operator runs would fetch them in its own network.
import { expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import { parseEmbeddingsRequest } from "../embeddings/parse-embeddings-request.ts";
import { parseModerationRequest } from "../moderations/parse-moderation-request.ts";

const privateUrls = [
  "https://169.254.169.254/latest",
  "https://localhost/x.png",
  "https://10.0.0.1/",
];
const wrongUrls = ["http://example.com/x.png", "file:///etc/passwd", "gs://bucket/x.png", "x"];

test("an address of a private network, or of no network, is refused by name", () => {
  for (const url of [...privateUrls, ...wrongUrls]) {
    const part = { type: "image_url", image_url: { url } };
    const embedded = JSON.stringify({ model: "a/b", input: [{ content: [part] }] });
    expect(paramOf(() => parseEmbeddingsRequest(embedded))).toBe(
      "input[0].content[0].image_url.url",
    );
    const moderated = JSON.stringify({ model: "a/b", input: [part] });
    expect(paramOf(() => parseModerationRequest(moderated))).toBe("input[0].image_url.url");
  }
});

function paramOf(run: () => unknown): unknown {
  try {
    run();
  } catch (thrown) {
    return thrown instanceof Fault ? thrown.details.param : thrown;
  }
  return undefined;
}
