// Whether a write failed for want of room: of the file system, or of what the user of the process may have of it.
export function isDiskFull(thrown: unknown): boolean {
  if (!(thrown instanceof Error && "code" in thrown)) return false;
  return thrown.code === "ENOSPC" || thrown.code === "EDQUOT";
}
