// The user of a chat completion as Anthropic accepts one: opaque, and of at most 256 characters.
import { expect, test } from "bun:test";
import { buildRequest } from "./build-request.ts";
import { chatCall } from "./sample-messages-call.fixture.ts";

const sentUser = (user: string): unknown =>
  JSON.parse(buildRequest(chatCall({ user })).body).metadata.user_id;

test.each(["ada@example.com", "+44 20 7946 0018", "020 7946-0018", "u".repeat(257)])(
  "a digest takes the place of %s",
  (user) => {
    expect(sentUser(user)).toMatch(/^[0-9a-f]{64}$/);
    expect(sentUser(user)).toBe(sentUser(user));
    expect(sentUser(user)).not.toBe(sentUser(`${user}1`));
  },
);

test.each(["ada", "42", "7d9f1c9e-6f0e-4a53-8d6c-0a9d3a0b1c2d", "u".repeat(256)])(
  "%s is sent as it is",
  (user) => {
    expect(sentUser(user)).toBe(user);
  },
);
