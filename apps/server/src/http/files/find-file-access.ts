// Who asks about files or batches, and what of them: those of the project of the calling key. Both are served where files are kept.
import { type ApiKeyId, Fault } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import type { Principal } from "@turnpike/gateway";
import { type ObjectOwner, type Objects, queryOwner } from "@turnpike/objects";
import type { Services } from "../../services.ts";
import { isAnthropicClient, isGoogleClient } from "../answers/error-format-of.ts";
import type { Authenticate } from "../callers/authenticate-request.ts";

type Run = <Result>(work: (db: Db) => Promise<Result>) => Promise<Result>;

/** What a request about files may use. */
export type FileAccess = {
  readonly principal: Principal;
  readonly keyId: ApiKeyId;
  readonly objects: Objects;
  readonly owner: ObjectOwner;
  /** Statements of one account run one after the other. */
  readonly run: Run;
};

/** Rejects for who may not read files. */
export type FindFileAccess = (request: Request) => Promise<FileAccess>;

/** `refuse` throws for clients of other APIs than the paths are of. */
export function createFileAccess(
  services: Services,
  authenticate: Authenticate,
  refuse: (request: Request) => void = refuseOtherApis,
): FindFileAccess {
  return async (request) => {
    const principal = await authenticate(request);
    const { accountId, keyId } = principal;
    refuse(request);
    const { objects } = services;
    if (objects === undefined || keyId === null) throw notKept();
    const run: Run = (work) => services.readFiles(accountId, work);
    const owner = await run((db) => queryOwner(db, accountId, keyId));
    if (owner === undefined) throw notKept();
    return { principal, keyId, objects, owner, run };
  };
}

function notKept(): Fault {
  return new Fault(
    "permission_denied",
    "Files are not kept here: the operator of this installation has to set OBJECTS_FOLDER and SEALING_KEY first.",
  );
}

/** Their files have other fields and answers under the same path. */
function refuseOtherApis({ headers }: Request): void {
  if (!isAnthropicClient(headers) && !isGoogleClient(headers)) return;
  throw new Fault(
    "unknown_url",
    "Files are served in the form of OpenAI's API only: use a client of that API for them, or send files within the request.",
  );
}
