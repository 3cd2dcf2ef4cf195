import { describe, expect, test } from "bun:test";
import { parseMessagesRequest } from "../messages/parse-messages-request.ts";
import { parseChatRequest } from "./parse-chat-request.ts";

const part = (value: object) => ({ role: "user", content: [value] });
const parse = (fields: object) => {
  const messages = [{ role: "user", content: "Hi" }];
  return parseChatRequest(JSON.stringify({ model: "m", messages, ...fields }));
};

const call = { id: "c", type: "function", function: { name: "f", arguments: "{}" } };
const markedCall = {
  role: "assistant",
  tool_calls: [{ ...call, cache_control: { type: "ephemeral", ttl: "1h" } }],
};

describe("price-changing fields", () => {
  const voice = { modalities: ["text", "audio"], audio: { voice: "a", format: "wav" } };
  test.each<[object, string[]]>([
    [{}, []],
    [{ service_tier: "auto", modalities: ["text"], best_of: 1, models: [], audio: null }, []],
    [{ service_tier: "priority" }, ["service_tier"]],
    [{ web_search_options: {}, plugins: [{ id: "web" }] }, ["web_search_options", "plugins"]],
    [voice, ["modalities", "audio"]],
    [{ n_predict: 9, best_of: 3 }, ["n_predict", "best_of"]],
    [{ chat_template: "{{ messages }}" }, ["chat_template"]],
    [{ mm_processor_kwargs: {}, media_io_kwargs: {} }, ["mm_processor_kwargs", "media_io_kwargs"]],
    [{ enable_search: true, web_search: { enable: true } }, ["enable_search", "web_search"]],
    [{ enable_search: false, web_search: false, priority: 0, lora: [], connectors: [] }, []],
    [{ chat_template_kwargs: { enable_thinking: false }, thinking: { type: "enabled" } }, []],
    [{ chat_template_kwargs: { chat_template: "{{ messages }}" } }, ["chat_template_kwargs"]],
    [{ max_dynamic_patch: 99, images_config: {} }, ["max_dynamic_patch", "images_config"]],
    [{ use_audio_in_video: false }, []],
    [
      { vl_high_resolution_images: true, use_beam_search: true },
      ["vl_high_resolution_images", "use_beam_search"],
    ],
    [{ extra_body: { google: {} }, google: {} }, ["extra_body", "google"]],
    [
      { kv_transfer_params: {}, bootstrap_host: "10.0.0.1" },
      ["kv_transfer_params", "bootstrap_host"],
    ],
    [{ api_base: "http://10.0.0.1", fallbacks: ["m"] }, ["api_base", "fallbacks"]],
    [{ deferred: true, custom_logit_processor: "x" }, ["deferred", "custom_logit_processor"]],
    [{ cache_control: { type: "ephemeral", ttl: "1h" } }, ["cache_control.ttl"]],
    [{ cache_control: { type: "ephemeral", ttl: "5m" } }, []],
    [
      { messages: [part({ type: "text", text: "a", cache_control: { ttl: "1h" } })] },
      ["messages[0].content[0].cache_control.ttl"],
    ],
    [
      { tools: [{ type: "function", function: { name: "f" }, cache_control: { ttl: "1h" } }] },
      ["tools[0].cache_control.ttl"],
    ],
    [
      { messages: [part({ type: "image_url", image_url: { url: "u" }, max_pixels: 1e9 })] },
      ["messages[0].content[0].max_pixels"],
    ],
    [
      { messages: [part({ type: "image_url", image_url: { url: "u" }, modalities: "video" })] },
      ["messages[0].content[0].modalities"],
    ],
    [
      { messages: [part({ type: "image_url", image_url: { url: "u", max_dynamic_patch: 99 } })] },
      ["messages[0].content[0].image_url.max_dynamic_patch"],
    ],
    [
      {
        cache_control: { ttl: "1h" },
        messages: [
          {
            role: "user",
            cache_control: { ttl: "1h" },
            content: [
              { type: "text", text: "a", cache_control: { ttl: "1h" } },
              { type: "image_url", image_url: { url: "u", fps: 9 }, cache_control: { ttl: "1h" } },
              { type: "video_url", video_url: { url: "u" } },
            ],
          },
          part({ type: "image_url", image_url: { url: "u" }, min_pixels: 1, max_pixels: 9 }),
        ],
        tools: [
          { type: "function", function: { name: "f", cache_control: { ttl: "1h" } } },
          { type: "function", function: { name: "g" }, cache_control: { ttl: "1h" } },
        ],
      },
      [
        "cache_control.ttl",
        "messages[0].cache_control.ttl",
        "messages[0].content[0].cache_control.ttl",
        "messages[0].content[1].cache_control.ttl",
        "messages[0].content[1].image_url.fps",
        "messages[0].content[2].video_url",
        "messages[1].content[0].min_pixels",
        "messages[1].content[0].max_pixels",
        "tools[0].function.cache_control.ttl",
        "tools[1].cache_control.ttl",
      ],
    ],
    [{ messages: [{ role: "assistant", audio: { id: "audio_1" } }] }, ["input_audio"]],
    [
      { messages: [markedCall, { role: "tool", tool_call_id: "c", content: "" }] },
      ["messages[0].tool_calls[0].cache_control.ttl"],
    ],
    [
      { messages: [part({ type: "input_audio", input_audio: { data: "", format: "mp3" } })] },
      ["input_audio"],
    ],
  ])("%j names %j", (fields, names) => {
    expect(parse(fields).priceChanging.map(({ name }) => name)).toEqual(names);
  });
});

test("a tool of /v1/messages that is named like a cache mark is not a cache mark", () => {
  const cache_control = { type: "ephemeral", ttl: "1h" };
  const request = {
    model: "m",
    max_tokens: 9,
    tools: [{ type: "x.cache_control.ttl", name: "x" }],
    system: [{ type: "text", text: "a", cache_control }],
    messages: [{ role: "user", content: "Hi" }],
  };
  expect(parseMessagesRequest(JSON.stringify(request), new Headers()).priceChanging).toEqual([
    { kind: "member", name: "tools[0].x.cache_control.ttl" },
    { kind: "long_cache", name: "system[0].cache_control.ttl" },
  ]);
});
