// The body that creates a batch. It may have the calls in it, so it is bounded and counted as the body of a call is.
import type { Services } from "../../services.ts";
import type { FileAccess } from "../files/find-file-access.ts";
import { bodyMaxBytes, declaredBytes, readBody } from "../requests/read-body.ts";

/** Until `create` is done, the body takes memory. Rejects as `readBody` and `create` do. */
export async function readBatchBody<Created>(
  { gateway }: Pick<Services, "gateway">,
  request: Request,
  { principal }: Pick<FileAccess, "principal">,
  create: (text: string) => Promise<Created>,
): Promise<Created> {
  const slot = gateway.limiter.reserveSlot(principal, declaredBytes(request, bodyMaxBytes));
  try {
    return await create(await readBody(request, bodyMaxBytes, { slot }));
  } finally {
    slot.release();
  }
}
