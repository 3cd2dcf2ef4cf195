// Reads one cookie of a Cookie header that may be anything: what cannot be decoded is not there.

export function readCookie(header: string | null, name: string): string | undefined {
  for (const part of (header ?? "").split(";")) {
    const at = part.indexOf("=");
    if (at === -1 || part.slice(0, at).trim() !== name) continue;
    const value = part.slice(at + 1).trim();
    return /^[\w-]{1,128}$/.test(value) ? value : undefined;
  }
  return undefined;
}
