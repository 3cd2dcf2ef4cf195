// Says what an operator must change when PostgreSQL or a pooler cannot be used as it is configured. Names no
// value of the URL, which may hold a password.
import { errorCodeOf } from "./connect.ts";

/** Verification that failed, by the codes of Node and OpenSSL. */
const untrusted =
  /^(?:(?:DEPTH_ZERO_)?SELF_SIGNED_CERT|UNABLE_TO_(?:VERIFY|GET)_|CERT_(?!HAS_EXPIRED|NOT_YET))/;

/** One sentence, or undefined for a failure of another kind. `setting` is the variable that names the database. */
export function describeDatabaseFault(
  error: unknown,
  setting = "DATABASE_URL",
): string | undefined {
  const code = errorCodeOf(error);
  const message = innermostMessage(error);
  if (code === undefined) return undefined;
  if (code === "08P01" && /startup parameter/.test(message)) return pooled(setting);
  if (/^(?:26000|42P05)$/.test(code)) return pooled(setting);
  if (code === "53300") {
    return `the database has no connection left for ${setting} (${message}). Raise max_connections, or the CONNECTION LIMIT of the role or the database.`;
  }
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    return `the certificate of the database is for another host name. Use the name in the certificate in ${setting}, or sslmode=verify-ca.`;
  }
  if (code === "CERT_HAS_EXPIRED" || code === "CERT_NOT_YET_VALID") {
    return `the certificate of the database is not valid now (${code}). Renew it, or set the clock.`;
  }
  if (untrusted.test(code)) {
    return `the certificate of the database is not signed by a known CA (${code}). Name the CA's file with sslrootcert in ${setting}.`;
  }
  if (/before secure TLS connection/.test(message)) {
    return `the database does not accept TLS, which sslmode in ${setting} asks for. Enable it there (ssl = on), or remove sslmode.`;
  }
  if (code === "28000" && /no encryption/.test(message)) {
    return `the database accepts this role with TLS only. Add sslmode=verify-full to ${setting}.`;
  }
  return undefined;
}

function pooled(setting: string): string {
  return `${setting} leads to a transaction pooler. Set DATABASE_PREPARE=false, and DATABASE_DIRECT_URL to PostgreSQL itself.`;
}

/** Of the driver's own error, however deep a query builder wrapped it. */
function innermostMessage(error: unknown): string {
  if (!(error instanceof Error)) return "";
  return error.cause instanceof Error ? innermostMessage(error.cause) : error.message;
}
