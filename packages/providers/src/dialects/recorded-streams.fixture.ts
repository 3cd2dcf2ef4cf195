// The recorded streams of every dialect, for the tests that check them all against one contract.
import { messagesStreams } from "./anthropic/recorded-messages.fixture.ts";
import { geminiFailures } from "./gemini/recorded-failures.fixture.ts";
import { geminiStreams } from "./gemini/recorded-streams.fixture.ts";
import { azureStreams } from "./openai/recorded-azure.fixture.ts";
import { chunkStreams } from "./openai/recorded-chunks.fixture.ts";
import { responsesStreams } from "./openai-responses/recorded-responses.fixture.ts";
import type { RecordedAnswer } from "./recorded-answer.fixture.ts";
import { bedrockStreams } from "./recorded-bedrock.fixture.ts";

import { vertexStreams } from "./recorded-vertex.fixture.ts";

export const recordedStreams: readonly RecordedAnswer[] = [
  ...geminiStreams,
  ...geminiFailures,
  ...messagesStreams,
  ...chunkStreams,
  ...azureStreams,
  ...responsesStreams,
  ...vertexStreams,
  ...bedrockStreams,
];
