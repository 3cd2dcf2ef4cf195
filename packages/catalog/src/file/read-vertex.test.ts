// How catalog entries for Vertex AI are read.
import { expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mistakesOfProvider, readOneProvider } from "./read-provider.fixture.ts";

const pem = generateKeyPairSync("rsa", { modulusLength: 2048 })
  .privateKey.export({ type: "pkcs8", format: "pem" })
  .toString();
const key = {
  type: "service_account",
  project_id: "my-project",
  private_key_id: "key-1",
  private_key: pem,
  client_email: "gateway@my-project.iam.gserviceaccount.com",
};
const entry = "{ id: vertex, location: europe-west1, serviceAccount: os.environ/VERTEX_KEY }";
const gemini = { model: "gemini-2.5-flash" };

test("a service account in a variable, called in its project and a region", () => {
  expect(readOneProvider(entry, { VERTEX_KEY: JSON.stringify(key) }, gemini)).toEqual({
    id: "vertex",
    kind: "google",
    cloud: "vertex",
    baseUrl:
      "https://europe-west1-aiplatform.googleapis.com/v1/projects/my-project/locations/europe-west1",
    credential: {
      scheme: "google-service-account",
      tokenUrl: "https://oauth2.googleapis.com/token",
      clientEmail: key.client_email,
      privateKey: pem,
      privateKeyId: "key-1",
    },
    cancelledStream: "billed_as_written",
  });
});

test("Claude is another dialect with the same address and credential", () => {
  const options = { model: "claude-sonnet-4-5@20250929" };
  expect(readOneProvider(entry, { VERTEX_KEY: JSON.stringify(key) }, options)).toMatchObject({
    kind: "anthropic",
    cloud: "vertex",
    credential: { scheme: "google-service-account" },
  });
});

test.each([
  ["global", "https://aiplatform.googleapis.com/v1/projects/other/locations/global"],
  ["eu", "https://aiplatform.eu.rep.googleapis.com/v1/projects/other/locations/eu"],
])("the location %s has its own address, and the project may be another", (location, baseUrl) => {
  const other = entry.replace("europe-west1", `${location}, project: other`);
  const environment = { VERTEX_KEY: JSON.stringify(key) };
  expect(readOneProvider(other, environment, gemini)).toMatchObject({ baseUrl });
});

test("the key may come from a file, with its line ends escaped twice", () => {
  const folder = mkdtempSync(join(tmpdir(), "turnpike-key-"));
  const path = join(folder, "key.json");
  writeFileSync(path, JSON.stringify({ ...key, private_key: pem.replaceAll("\n", "\\n") }));
  const ofFile = `{ id: v, kind: vertex, location: global, serviceAccountFile: "${path}" }`;
  expect(readOneProvider(ofFile, {}, gemini)).toMatchObject({ credential: { privateKey: pem } });
  rmSync(folder, { recursive: true });
});

test("without its key in the environment it is absent, not wrong", () => {
  expect(readOneProvider(entry, {}, gemini)).toBe(
    "provider vertex is not set up: VERTEX_KEY is not set",
  );
});

test.each([
  ["{ id: vertex }", 'location: is required: write global or a region like "europe-west1"'],
  [
    "{ id: vertex, location: mars.example.com/ }",
    'location: must be global, us, eu or a region like "europe-west1"',
  ],
  [
    "{ id: vertex, location: global }",
    "serviceAccount: is required: the JSON of its key, or serviceAccountFile with the path of that file",
  ],
  [
    "{ id: vertex, location: global, serviceAccount: a, serviceAccountFile: b }",
    "serviceAccountFile: must be omitted if serviceAccount is given",
  ],
  [
    "{ id: vertex, location: global, serviceAccountFile: /no/such/file }",
    "serviceAccountFile: cannot be read (ENOENT): /no/such/file",
  ],
  [
    "{ id: vertex, location: global, apiKey: k }",
    "apiKey: is a field of providers of kind openai-compatible or anthropic or google or elevenlabs or deepgram or azure or bedrock",
  ],
  ["{ id: openai, apiKey: k, project: p }", "project: is a field of providers of kind vertex"],
])("%s is refused with what to write", (wrong, mistake) => {
  expect(mistakesOfProvider(wrong, {}, gemini)).toEqual([`providers[0].${mistake}`]);
});

const badKeys: readonly [string, object | string, string][] = [
  ["no JSON", "MII0123456789", "is not the JSON of a service account's key"],
  [
    "another type",
    { ...key, type: "authorized_user" },
    'must have type "service_account": create a JSON key for the account',
  ],
  ["no address", { ...key, client_email: undefined }, "has no client_email"],
  ["no key", { ...key, private_key: "" }, "has no private_key"],
  [
    "a broken key",
    { ...key, private_key: pem.slice(0, 300) },
    "has a private_key that is not an RSA key in PEM",
  ],
  [
    "a token_uri that is not safe",
    { ...key, token_uri: "http://oauth2.googleapis.com/token" },
    "has a token_uri that is plain http, which needs ALLOW_PRIVATE_UPSTREAMS=true",
  ],
  [
    "a token_uri of the operator's network",
    { ...key, token_uri: "https://169.254.169.254/token" },
    "has a token_uri that is a private or loopback address, which needs ALLOW_PRIVATE_UPSTREAMS=true",
  ],
];

test.each(badKeys)("a service account with %s is refused, and not shown", (_, bad, problem) => {
  const text = typeof bad === "string" ? bad : JSON.stringify(bad);
  const mistakes = mistakesOfProvider(entry, { VERTEX_KEY: text }, gemini);
  expect(mistakes).toEqual([`providers[0].serviceAccount: ${problem}`]);
  expect(mistakes.join()).not.toContain("MII");
});

/** A key that is taken for a path is too long, or does not exist because of the slashes in it. */
const withoutCode = (mistakes: readonly string[]) =>
  mistakes.map((text) => text.replace(/\((?:ENOENT|ENAMETOOLONG)\)/, "(CODE)"));

const inFileField =
  "{ id: v, kind: vertex, location: global, serviceAccountFile: os.environ/VERTEX_KEY }";

test.each([
  [
    "its JSON",
    JSON.stringify(key),
    "must be the path of a file: write the JSON itself as serviceAccount",
  ],
  [
    "indented JSON",
    `\n ${JSON.stringify(key, null, 2)}`,
    "must be the path of a file: write the JSON itself as serviceAccount",
  ],
  ["its PEM alone", pem, "cannot be read (CODE): os.environ/VERTEX_KEY"],
  ["its JSON in base64", btoa(JSON.stringify(key)), "cannot be read (CODE): os.environ/VERTEX_KEY"],
  ["a path that does not exist", "/no/such/secret", "cannot be read (CODE): os.environ/VERTEX_KEY"],
])(
  "a serviceAccountFile whose variable holds %s is refused without showing it",
  (_, text, problem) => {
    expect(withoutCode(mistakesOfProvider(inFileField, { VERTEX_KEY: text }, gemini))).toEqual([
      `providers[0].serviceAccountFile: ${problem}`,
    ]);
  },
);

test("a serviceAccountFile that is a key in the catalog itself is refused without showing it", () => {
  const entry = `{ id: v, kind: vertex, location: global, serviceAccountFile: ${btoa(pem)} }`;
  expect(withoutCode(mistakesOfProvider(entry, {}, gemini))).toEqual([
    "providers[0].serviceAccountFile: cannot be read (CODE)",
  ]);
});

test("a model of a publisher that is not served is refused by its route", () => {
  const environment = { VERTEX_KEY: JSON.stringify(key) };
  expect(mistakesOfProvider(entry, environment, { model: "meta/llama-4" })).toEqual([
    "models[0].routes[0].model: is not served from Vertex AI: write gemini-..., claude-..., google/MODEL, anthropic/MODEL or endpoints/ID",
  ]);
});
