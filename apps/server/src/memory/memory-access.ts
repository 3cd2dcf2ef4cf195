// Where the responses, interactions and conversations of one project are kept, and who asks for them.
import type { ApiKeyId } from "@turnpike/base";
import type { Principal } from "@turnpike/gateway";
import { type ObjectOwner, type Objects, queryOwner, type RunStatements } from "@turnpike/objects";
import type { MemoryLanguage } from "@turnpike/wire";
import type { Services } from "../services.ts";

export type MemoryServices = Pick<Services, "keptResponses" | "readFiles" | "log">;

export type MemoryAccess = {
  readonly objects: Objects;
  readonly keptSeconds: number;
  /** Whose calls and memory are counted. */
  readonly principal: Principal;
  readonly owner: ObjectOwner;
  readonly keyId: ApiKeyId;
  /** Statements of one account run one after the other. */
  readonly run: RunStatements;
};

const hourSeconds = 3_600;

/** Undefined where nothing is kept, and for the playground, which has no key and so no project. */
export async function findMemoryAccess(
  { keptResponses, readFiles }: MemoryServices,
  principal: Principal,
): Promise<MemoryAccess | undefined> {
  const { accountId, keyId, responseHours } = principal;
  if (keptResponses === undefined || keyId === null) return undefined;
  const run: RunStatements = (work) => readFiles(accountId, work);
  const owner = await run((db) => queryOwner(db, accountId, keyId));
  if (owner === undefined) return undefined;
  const { objects, keptSeconds: usualSeconds } = keptResponses;
  const keptSeconds = responseHours === undefined ? usualSeconds : responseHours * hourSeconds;
  return { objects, keptSeconds, principal, owner, keyId, run };
}

/** What every stored text is. */
export function described(purpose: string, filename: string) {
  return { purpose, filename, mediaType: "application/json" } as const;
}

/** The stored answers of a language: an id of another one is unknown. */
export function answersOf({ purpose }: Pick<MemoryLanguage, "purpose">) {
  return { kind: "response", purpose } as const;
}
