// Stored answers of one language by their ids: those of the project of the calling key. What belongs to another project or account
// is answered as what never existed.
import type { Fault, ObjectId } from "@turnpike/base";
import { deleteObject, queryObject, readObject } from "@turnpike/objects";
import type { MemoryLanguage } from "@turnpike/wire";
import { answersOf, findMemoryAccess, type MemoryAccess } from "../../memory/memory-access.ts";
import { textOf } from "../../memory/read-turns.ts";
import type { Services } from "../../services.ts";
import type { Authenticate } from "../callers/authenticate-request.ts";
import { pathBehind } from "../routes/route.ts";
import { withSlot } from "./with-slot.ts";

export type StoredAnswer = {
  readonly access: MemoryAccess;
  readonly id: ObjectId;
  /** As the caller wrote it. */
  readonly name: string;
};

type AnswerRoutes = {
  readonly language: MemoryLanguage;
  /** What stands before the id in each of the paths. */
  readonly prefix: string;
  /** For an id of somebody else, of an answer that has expired, and for one that never existed. */
  readonly unknown: () => Fault;
  /** Where nothing is stored, and why. */
  readonly notKept: () => Fault;
};

export class StoredAnswers {
  readonly #services: Services;
  readonly #authenticate: Authenticate;
  readonly #routes: AnswerRoutes;

  constructor(services: Services, authenticate: Authenticate, routes: AnswerRoutes) {
    this.#services = services;
    this.#authenticate = authenticate;
    this.#routes = routes;
  }

  /** Which one is asked for, and by whom. Rejects for who may not, and for what is no id. */
  async find(request: Request): Promise<StoredAnswer> {
    const { language, prefix, unknown, notKept } = this.#routes;
    const [name = ""] = pathBehind(request, prefix).split("/");
    const access = await findMemoryAccess(this.#services, await this.#authenticate(request));
    if (access === undefined) throw notKept();
    const id = language.parseId(name);
    if (id === undefined) throw unknown();
    return { access, id, name };
  }

  /** Rejects with the Fault of an answer that the project does not have, unless `otherwise` has one. */
  async read(
    { access, id }: StoredAnswer,
    use: (stored: string) => Response | Promise<Response>,
    otherwise: () => Promise<Response | undefined> = async () => undefined,
  ): Promise<Response> {
    const { principal, objects, owner, run } = access;
    const answers = answersOf(this.#routes.language);
    const found = await run((db) => readObject(db, objects, owner, answers, id));
    if (found === undefined) {
      const answer = await otherwise();
      if (answer === undefined) throw this.#routes.unknown();
      return answer;
    }
    return withSlot(this.#services.gateway, principal, found.object.size, async () =>
      use(await textOf(found)),
    );
  }

  /** Rejects as `read` does. */
  async require({ access, id }: StoredAnswer): Promise<void> {
    const { objects, owner, run } = access;
    const answers = answersOf(this.#routes.language);
    const found = await run((db) => queryObject(db, objects.sealer, owner, answers, id));
    if (found === undefined) throw this.#routes.unknown();
  }

  /** False if the project has no such answer. */
  delete({ access, id }: StoredAnswer): Promise<boolean> {
    const { objects, owner, run } = access;
    const answers = answersOf(this.#routes.language);
    return deleteObject(run, objects.blobs, owner, answers, id);
  }
}

export function asksForStream({ url }: Request): boolean {
  return new URL(url).searchParams.get("stream") === "true";
}
