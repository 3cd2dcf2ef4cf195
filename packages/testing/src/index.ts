// Test support for all packages: scripted servers, test databases, and ways to break them.

export { elevenLabsVoices } from "./answer-elevenlabs.ts";
export { embeddedImageTokens, embeddingOf } from "./answer-embeddings.ts";
export { openrouterImageTokens } from "./answer-foreign-images.ts";
export {
  geminiHeardTokensPerSecond,
  geminiImageTokens,
  geminiReferenceTokens,
  geminiSpokenTokensPerSecond,
  geminiVoices,
} from "./answer-gemini-media.ts";
export { imageTokensOf, inputImageTokensOf } from "./answer-images.ts";
export { flaggedWord } from "./answer-moderations.ts";
export { countRerankTokens, countSearchUnits } from "./answer-rerank.ts";
export { speechSecondsOf, speechTokensPerSecond, speechVoices } from "./answer-speech.ts";
export { transcriptionTokensPerSecond } from "./answer-transcription.ts";
export {
  adtsFile,
  flacFile,
  mp3File,
  oggFile,
  opusPacket,
  repeatBytes,
  uintBE,
  uintLE,
  wavFile,
} from "./audio-files.ts";
export { copyMigrations, type MigrationsCopy } from "./copy-migrations.ts";
export { createTestDatabase, type TestDatabase } from "./database.ts";
export { encodeEventFrame, encodeException, encodeModelEvent } from "./encode-event-frame.ts";
export { type FixedAnswer, type FixedUpstream, startFixedUpstream } from "./fixed-upstream.ts";
export { freePort } from "./free-port.ts";
export type { Delivered, Ending } from "./http-connection.ts";
export { currentPhase, inPhase, type TestPhase, testPhases } from "./in-phase.ts";
export { type Installed, installOnce, runInstaller } from "./install-once.ts";
export { lowPasswordCost } from "./low-password-cost.ts";
export { type CaughtMail, type MailCatcher, startMailCatcher } from "./mail-catcher.ts";
export { type MockPeer, startMockPeer } from "./mock-peer.ts";
export {
  type OpenidPerson,
  type OpenidProvider,
  signInAtProvider,
  startOpenidProvider,
} from "./openid-provider.ts";
export { countPromptTokens } from "./parse-chat-body.ts";
export {
  type Garbage,
  type Script,
  type ScriptedToolCall,
  scriptedToken,
  scriptedWideToken,
  type UsageKind,
} from "./parse-script.ts";
export { patientLimits } from "./patient-limits.ts";
export { answerPlainCase, plainCases } from "./plain-cases.ts";
export { type Python, preparePackages, preparePython } from "./prepare-python.ts";
export { prepareTemplate } from "./prepare-template.ts";
export { runsOf, searchTimeoutMs } from "./runs-of.ts";
export { operationModels, sandboxModels } from "./sandbox-answers.ts";
export { type ScriptedDns, startScriptedDns } from "./scripted-dns.ts";
export { type GithubUser, type ScriptedGithub, startScriptedGithub } from "./scripted-github.ts";
export {
  type Delivery,
  type HeldAnswer,
  type ScriptedStripe,
  type ScriptedStripeOptions,
  startScriptedStripe,
} from "./scripted-stripe.ts";
export type { Event as ScriptedStripeEvent } from "./scripted-stripe-objects.ts";
export {
  type ScriptedUpstream,
  type ScriptSource,
  startScriptedUpstream,
  type UpstreamRequest,
} from "./scripted-upstream.ts";
export { setDatabaseClock, shiftDatabaseClock } from "./set-database-clock.ts";
export { silentWav } from "./silent-wav.ts";
export { type ImageFormat, type SmallImage, smallImage } from "./small-images.ts";
export {
  type ServerExit,
  type SpawnedServer,
  type SpawnOptions,
  spawnServer,
} from "./spawn-server.ts";
export { type PreparedS3, prepareS3, type S3Server } from "./start-s3-server.ts";
export { type Direction, startTcpProxy, type TcpProxy } from "./tcp-proxy.ts";
export { readTextCorpus } from "./text-corpus.ts";
export { untilHourHasRoom } from "./until-hour-has-room.ts";
export { untilWaiting } from "./until-waiting.ts";
export {
  type ReceivedWebhook,
  startWebhookReceiver,
  type WebhookReceiver,
} from "./webhook-receiver.ts";
export { writePlaces } from "./write-places.ts";
