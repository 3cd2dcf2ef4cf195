// Where to go after an address was proven: to an invitation to it, if there is one.
import { api } from "../../lib/api.ts";

export async function pathAfterProof(): Promise<string> {
  const open = await api.invitations.own.query().catch(() => []);
  return open.length > 0 ? "/join" : "/";
}
