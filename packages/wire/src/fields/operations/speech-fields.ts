// The fields of a request for speech.
import { anyText, decimal, object, oneOf, text, textOrObject } from "../../checks/check-value.ts";
import { withCommonFields } from "./operation-field.ts";

export const speechFormats = ["mp3", "opus", "aac", "flac", "wav", "pcm"] as const;
const inputCharsMax = 50_000;
const instructionsCharsMax = 4_096;

export const speechFields = withCommonFields({
  input: { check: text({ nonEmpty: true, maxLength: inputCharsMax }) },
  voice: { check: textOrObject(anyText, object({ required: { id: anyText } })) },
  instructions: { check: text({ maxLength: instructionsCharsMax }), isPreference: true },
  response_format: { check: oneOf(speechFormats), isRewritten: true },
  speed: { check: decimal(0.25, 4) },
  stream_format: { check: oneOf(["audio", "sse"]), isRewritten: true },
});
