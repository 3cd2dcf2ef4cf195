// Reads one cookie of an untrusted Cookie header: one that cannot be decoded counts as missing.

export function readCookie(header: string | null, name: string): string | undefined {
  for (const part of (header ?? "").split(";")) {
    const at = part.indexOf("=");
    if (at === -1 || part.slice(0, at).trim() !== name) continue;
    const value = part.slice(at + 1).trim();
    return /^[\w-]{1,128}$/.test(value) ? value : undefined;
  }
  return undefined;
}
