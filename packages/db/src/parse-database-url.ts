// Reads what the driver cannot of a PostgreSQL URL, as libpq means it: how TLS is verified, and several hosts, of
// which only one that accepts writes is used.
import { readFileSync } from "node:fs";

const sslModes = ["disable", "prefer", "require", "verify-ca", "verify-full"];

/** What is wrong with the URL; undefined if it can be used. Never contains the URL: it may hold a password. */
export function findUrlMistake(text: string): string | undefined {
  const url = parse(text);
  if (url === undefined) {
    return "must be a URL such as postgres://user:password@host:5432/turnpike, or with several hosts, host1:5432,host2:5432";
  }
  const mode = url.searchParams.get("sslmode");
  if (mode !== null && !sslModes.includes(mode))
    return `sslmode must be one of ${sslModes.join(", ")}`;
  const caFile = url.searchParams.get("sslrootcert");
  if (caFile === null || caFile === "system") return undefined;
  if (!mode?.startsWith("verify-")) return "sslrootcert needs sslmode=verify-full or verify-ca";
  try {
    readFileSync(caFile);
    return undefined;
  } catch (error) {
    return `sslrootcert cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** The first of several hosts stands for all; undefined if any of them is malformed. */
function parse(text: string): URL | undefined {
  const [, head, hosts, tail] =
    /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]+)(.*)$/s.exec(text) ?? [];
  const urls = (hosts ?? "").split(",").map((host) => URL.parse(`${head}${host}${tail}`));
  return urls.every((url) => url !== null && url.hostname !== "")
    ? (urls[0] ?? undefined)
    : undefined;
}

export type TlsOptions = {
  readonly ca?: string;
  /** For `verify-ca`, which accepts any name. */
  readonly checkServerIdentity?: () => undefined;
};

export type DatabaseUrl = {
  /** Without what the driver would send to PostgreSQL as a parameter. */
  readonly url: string;
  readonly options: {
    readonly ssl?: TlsOptions;
    readonly target_session_attrs?: "read-write";
  };
};

/** What to give to the driver. A URL with a mistake is returned unchanged: the driver refuses it. */
export function parseDatabaseUrl(text: string): DatabaseUrl {
  const parsed = parse(text);
  if (parsed === undefined) return { url: text, options: {} };
  const { searchParams } = parsed;
  const manyHosts = /^[^?#]*,/.test(text.replace(/^[^?#]*@/, ""));
  const anyHost = manyHosts && !searchParams.has("target_session_attrs");
  const target = anyHost ? { target_session_attrs: "read-write" as const } : {};
  const mode = searchParams.get("sslmode") ?? "";
  if (!mode.startsWith("verify-")) return { url: text, options: target };
  const caFile = searchParams.get("sslrootcert");
  searchParams.delete("sslrootcert");
  searchParams.delete("sslmode");
  const query = searchParams.toString();
  const ssl = {
    ...(caFile !== null && caFile !== "system" && { ca: readFileSync(caFile, "utf8") }),
    ...(mode === "verify-ca" && { checkServerIdentity: () => undefined }),
  };
  const url = `${text.replace(/[?#].*$/s, "")}${query === "" ? "" : `?${query}`}`;
  return { url, options: { ...target, ssl } };
}
