// Each operation asked over HTTP: whole, and as a stream where its path has one.
import { smallImage, wavFile } from "@turnpike/testing";
import type { Cell, OperationName } from "./upstreams.fixture.ts";

type Asked = {
  readonly path: string;
  readonly body: (cell: Cell) => Readonly<Record<string, unknown>> | FormData;
  /** Of the field that asks for a stream; absent if none does. */
  readonly stream?: Readonly<Record<string, string | boolean>>;
};

const png = new File(
  [new Uint8Array(smallImage("png", { width: 64, height: 64, color: [1, 2, 3] }))],
  "a.png",
);
const wav = new File([new Uint8Array(wavFile({ seconds: 3 }))], "speech.wav");
const prompt = "a lighthouse";
const stream = { stream: true };

function form(fields: Readonly<Record<string, string | File>>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  return data;
}

export const requests: Readonly<Record<OperationName, Asked>> = {
  images: { path: "/images/generations", body: ({ model }) => ({ model, prompt }), stream },
  edits: {
    path: "/images/edits",
    body: ({ model }) => form({ model, prompt, image: png }),
    stream,
  },
  speech: {
    path: "/audio/speech",
    body: ({ model, voice }) => ({ model, voice, input: "Hello there.", response_format: "pcm" }),
    stream: { stream_format: "sse" },
  },
  transcriptions: {
    path: "/audio/transcriptions",
    body: ({ model }) => form({ model, file: wav }),
    stream,
  },
  translations: { path: "/audio/translations", body: ({ model }) => form({ model, file: wav }) },
  rerank: {
    path: "/rerank",
    body: ({ model }) => ({ model, query: "dogs", documents: ["the moon", "dogs"] }),
  },
  moderations: { path: "/moderations", body: ({ model }) => ({ model, input: "forbidden" }) },
  embeddings: { path: "/embeddings", body: ({ model }) => ({ model, input: "one text" }) },
};

/** `baseUrl` ends in `/v1`. */
export function askByHttp(
  { baseUrl, key }: { readonly baseUrl: string; readonly key: string },
  cell: Cell,
  isStream = false,
): Promise<Response> {
  const { path, body: bodyOf, stream: streamFields = {} } = requests[cell.operation];
  const body = bodyOf(cell);
  const fields = Object.entries(isStream ? streamFields : {});
  const headers = { authorization: `Bearer ${key}` };
  if (body instanceof FormData) {
    for (const [name, value] of fields) body.append(name, String(value));
    return fetch(`${baseUrl}${path}`, { method: "POST", headers, body });
  }
  return fetch(`${baseUrl}${path}`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ ...body, ...Object.fromEntries(fields) }),
  });
}
