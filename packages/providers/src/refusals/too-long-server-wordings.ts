// The same of servers that anybody runs, alone or behind a service.
import type { TooLongWording } from "./too-long-wordings.ts";

/** Wordings that clients collect, with the services that use them. */
const pi = "https://github.com/earendil-works/pi/blob/main/packages/ai/src/utils/overflow.ts";
const issues = "https://github.com/";

export const serverWordings = [
  {
    service: "vLLM",
    pattern: /longer than the maximum model length/i,
    example: "The decoder prompt (length 66501) is longer than the maximum model length of 65536.",
    source: `${issues}langchain-ai/deepagents/issues/468`,
  },
  {
    service: "llama.cpp",
    pattern: /exceeds? the available context size/i,
    example: "the request exceeds the available context size, try increasing it",
    source: pi,
  },
  {
    service: "LM Studio",
    pattern: /greater than the context length/i,
    example:
      "The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096).",
    source: `${issues}Gitlawb/openclaude/issues/353`,
  },
  {
    service: "LM Studio",
    pattern: /cannot truncate prompt with n_keep|when context the overflows/i,
    example: "Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)",
    source: `${issues}anomalyco/opencode/issues/11141`,
  },
  {
    service: "Ollama",
    pattern: /prompt too long; exceeded/i,
    example: "prompt too long; exceeded max context length by 4 tokens",
    source: pi,
  },
  {
    service: "ds4",
    pattern: /exceeds context size/i,
    example: "Prompt tokens (9000) exceeds context size (8192)",
    source: `${issues}antirez/ds4/pull/150`,
  },
  {
    service: "TensorRT-LLM",
    pattern: /prompt length \(\d+\) exceeds maximum (?:input|sequence) length/i,
    example: "Prompt length (200) exceeds maximum input length (1)",
    source: `${issues}triton-inference-server/tensorrtllm_backend/issues/565`,
  },
  {
    service: "NVIDIA NIM",
    pattern: /exceeds maximum allowed token size/i,
    example: "Input length 1024 exceeds maximum allowed token size 512",
    source: `${issues}NVIDIA/nim-anywhere/issues/58`,
  },
] as const satisfies readonly TooLongWording[];
