// A first call of a model of any operation: runnable as pasted, in the languages whose clients know the operation. Apart from
// `snippets.ts`, which every page loads.
import type { Operation } from "@turnpike/terms";
import type { Snippet } from "../../ui/code/code-snippet.tsx";
import {
  type AiSdkCall,
  aiSdk,
  type Call,
  curlWithForm,
  firstCallSnippets,
  type SnippetFacts,
  snippetsOf,
} from "./snippets.ts";

type OperationCall = Call & {
  readonly aiSdk?: AiSdkCall;
  /** The fields of a form besides the model, if there is no body in JSON. */
  readonly form?: readonly string[];
};

const embeddings: OperationCall = {
  path: "embeddings",
  body: `"input": "Hello!"`,
  python: [
    "result = client.embeddings.create(",
    `    model="{model}",`,
    `    input="Hello!",`,
    ")",
    "print(result.data[0].embedding)",
  ],
  node: [
    "const result = await client.embeddings.create({",
    `  model: "{model}",`,
    `  input: "Hello!",`,
    "});",
    "console.log(result.data[0].embedding);",
  ],
  aiSdk: {
    imports: "embed",
    lines: [
      "const { embedding } = await embed({",
      `  model: provider.embeddingModel("{model}"),`,
      `  value: "Hello!",`,
      "});",
      "console.log(embedding);",
    ],
  },
};

const image: OperationCall = {
  path: "images/generations",
  body: `"prompt": "A lighthouse at dawn",
    "size": "1024x1024"`,
  pythonImports: ["import base64"],
  python: [
    "result = client.images.generate(",
    `    model="{model}",`,
    `    prompt="A lighthouse at dawn",`,
    `    size="1024x1024",`,
    `    response_format="b64_json",`,
    ")",
    `with open("image.png", "wb") as file:`,
    "    file.write(base64.b64decode(result.data[0].b64_json))",
    `print("image.png")`,
  ],
  nodeImports: [`import { writeFileSync } from "node:fs";`],
  node: [
    "const result = await client.images.generate({",
    `  model: "{model}",`,
    `  prompt: "A lighthouse at dawn",`,
    `  size: "1024x1024",`,
    `  response_format: "b64_json",`,
    "});",
    `writeFileSync("image.png", Buffer.from(result.data[0].b64_json, "base64"));`,
    `console.log("image.png");`,
  ],
  aiSdk: {
    imports: "generateImage",
    nodeImports: [`import { writeFileSync } from "node:fs";`],
    lines: [
      "const { image } = await generateImage({",
      `  model: provider.imageModel("{model}"),`,
      `  prompt: "A lighthouse at dawn",`,
      `  size: "1024x1024",`,
      "});",
      `writeFileSync("image.png", image.uint8Array);`,
      `console.log("image.png");`,
    ],
  },
};

const speech: OperationCall = {
  path: "audio/speech",
  body: `"input": "Hello!",
    "voice": "alloy"`,
  output: "speech.mp3",
  python: [
    "with client.audio.speech.with_streaming_response.create(",
    `    model="{model}",`,
    `    input="Hello!",`,
    `    voice="alloy",`,
    ") as response:",
    `    response.stream_to_file("speech.mp3")`,
    `print("speech.mp3")`,
  ],
  nodeImports: [`import { writeFileSync } from "node:fs";`],
  node: [
    "const response = await client.audio.speech.create({",
    `  model: "{model}",`,
    `  input: "Hello!",`,
    `  voice: "alloy",`,
    "});",
    `writeFileSync("speech.mp3", Buffer.from(await response.arrayBuffer()));`,
    `console.log("speech.mp3");`,
  ],
};

const transcription: OperationCall = {
  path: "audio/transcriptions",
  body: "",
  form: ["file=@speech.mp3"],
  python: [
    `with open("speech.mp3", "rb") as file:`,
    `    result = client.audio.transcriptions.create(model="{model}", file=file)`,
    "print(result.text)",
  ],
  nodeImports: [`import { createReadStream } from "node:fs";`],
  node: [
    "const result = await client.audio.transcriptions.create({",
    `  model: "{model}",`,
    `  file: createReadStream("speech.mp3"),`,
    "});",
    "console.log(result.text);",
  ],
};

// OpenAI's clients have no method for it.
const rerank: OperationCall = {
  path: "rerank",
  body: `"query": "What keeps ships off the rocks?",
    "documents": ["A lighthouse", "A library"]`,
  python: [
    "ranking = client.post(",
    `    "/rerank",`,
    "    cast_to=object,",
    "    body={",
    `        "model": "{model}",`,
    `        "query": "What keeps ships off the rocks?",`,
    `        "documents": ["A lighthouse", "A library"],`,
    "    },",
    ")",
    `print(ranking["results"])`,
  ],
  node: [
    `const ranking = await client.post("/rerank", {`,
    "  body: {",
    `    model: "{model}",`,
    `    query: "What keeps ships off the rocks?",`,
    `    documents: ["A lighthouse", "A library"],`,
    "  },",
    "});",
    "console.log(ranking.results);",
  ],
};

const moderation: OperationCall = {
  path: "moderations",
  body: `"input": "Hello!"`,
  python: [
    "result = client.moderations.create(",
    `    model="{model}",`,
    `    input="Hello!",`,
    ")",
    "print(result.results[0].flagged)",
  ],
  node: [
    "const result = await client.moderations.create({",
    `  model: "{model}",`,
    `  input: "Hello!",`,
    "});",
    "console.log(result.results[0].flagged);",
  ],
};

const calls = {
  embeddings,
  image,
  speech,
  transcription,
  rerank,
  moderation,
} as const satisfies Record<Exclude<Operation, "chat">, OperationCall>;

/** curl, Python, Node and, where it has the operation, the AI SDK. */
export function operationSnippets(facts: SnippetFacts, operation: Operation): readonly Snippet[] {
  if (operation === "chat") return firstCallSnippets(facts);
  const { aiSdk: ofAiSdk, form, ...call }: OperationCall = calls[operation];
  const [curl, ...others] = snippetsOf(facts, call);
  const first =
    form === undefined || curl === undefined
      ? curl
      : { ...curl, code: curlWithForm(facts, { path: call.path, form }) };
  return [
    ...(first === undefined ? [] : [first]),
    ...others,
    ...(ofAiSdk === undefined ? [] : [aiSdk(facts, ofAiSdk)]),
  ];
}
