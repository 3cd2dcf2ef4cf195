// Forgets what signing in leaves behind once nothing can come of it any more.

import { type Db, devices, emailTokens, sessions, throttles } from "@turnpike/db";
import { lt } from "drizzle-orm";

const dayMs = 86_400_000;

/** Dead sessions at once; used links, old counters and long unseen devices after a while. */
export async function purgeSignIn(db: Db): Promise<void> {
  const ago = (days: number) => new Date(Date.now() - days * dayMs);
  await db.delete(sessions).where(lt(sessions.expiresAt, ago(0)));
  await db.delete(emailTokens).where(lt(emailTokens.expiresAt, ago(30)));
  await db.delete(throttles).where(lt(throttles.since, ago(31)));
  await db.delete(devices).where(lt(devices.lastSeenAt, ago(400)));
}
