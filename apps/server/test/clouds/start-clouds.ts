// All clouds together, each with a provider entry and the tests' own models.
import { azureKey, serveAzure } from "./serve-azure.ts";
import { awsKey, serveBedrock } from "./serve-bedrock.ts";
import { createVertex, serviceAccountJson } from "./serve-vertex.ts";
import { type Cloud, startCloud } from "./start-cloud.ts";

export type Clouds = {
  /** Lines of `providers` in a catalog: `azure`, `vertex` and `bedrock`. */
  readonly providerLines: string;
  /** The variables that these lines name. */
  readonly environment: Readonly<Record<string, string>>;
  /** Of the scripted upstream, whose base URL ends in `/v1`. */
  connect(baseUrl: string): void;
  close(): Promise<void>;
};

/** Upstream models: any deployment of Azure, and these. */
export const vertexGemini = "gemini-3-flash";
export const vertexClaude = "claude-sonnet-4-5@20250929";
export const bedrockClaude = "us.anthropic.claude-sonnet-4-5-20250929-v1:0";

export function startClouds(): Clouds {
  const azure = startCloud(serveAzure);
  const vertex = startCloud(createVertex().serve);
  const bedrock = startCloud(serveBedrock);
  const clouds: readonly Cloud[] = [azure, vertex, bedrock];
  const key = `accessKeyId: ${awsKey.accessKeyId}, secretAccessKey: ${awsKey.secretAccessKey}`;
  return {
    providerLines: `
  - { id: azure, baseUrl: "${azure.url}/azure", apiVersion: 2024-10-21, apiKey: "${azureKey}" }
  - { id: vertex, baseUrl: "${vertex.url}/v1", location: europe-west1, serviceAccount: os.environ/VERTEX_KEY }
  - { id: bedrock, baseUrl: "${bedrock.url}", region: us-east-1, ${key}, sessionToken: "${awsKey.sessionToken}" }`,
    environment: { VERTEX_KEY: serviceAccountJson(vertex.url) },
    connect: (baseUrl) => {
      for (const cloud of clouds) cloud.connect(baseUrl);
    },
    async close() {
      for (const cloud of clouds) await cloud.close();
    },
  };
}
