// Names of files as they are kept and sent on. A name never has a path, never ends the header that carries it, and ends
// in the extension of what the file contains, because providers go by it.
import { cleanName } from "@turnpike/base";

const charsMax = 100;

/** Of a name as its client sent it: any path before it, and what file systems and headers give a meaning. */
export function sanitizeFilename(name: string, fallback: string): string {
  const [last = ""] = name.split(/[/\\]/).slice(-1);
  const clean = cleanName(last.replace(/["<>:|?*;]/g, "_"), charsMax).replace(/^\.+/, "");
  return clean === "" ? fallback : clean;
}

/** For an upstream: plain ASCII, with this extension (`mp3`). */
export function filenameWith(extension: string, name: string): string {
  const stem = sanitizeFilename(name, "file").replace(/\.[^.]*$/, "");
  const plain = stem.replace(/[^A-Za-z0-9_-]+/g, "_").replace(/^[_-]+/, "");
  return `${plain === "" ? "file" : plain}.${extension}`;
}
