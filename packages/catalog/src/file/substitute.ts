// Fills `${NAME}` and `os.environ/NAME` of a catalog value from a given environment, or from the file that
// `NAME_FILE` names. An unset or empty variable makes the whole value absent: half a URL or half a key is worse
// than no value.
import { readFileSync } from "node:fs";
import { isObject, parseText } from "@turnpike/base";

export type Environment = Readonly<Record<string, string | undefined>>;

export type Substituted =
  | { readonly kind: "value"; readonly value: string }
  | { readonly kind: "absent"; readonly missing: string }
  | { readonly kind: "unreadable"; readonly problem: string };

/** Is told of each file that a value came from. */
export type NoteFile = (path: string, text: string) => void;

/** `os.environ/NAME` must be the whole value; `${NAME}` may appear anywhere, several times. */
export function substitute(
  text: string,
  environment: Environment,
  noteFile?: NoteFile,
): Substituted {
  const whole = /^os\.environ\/([A-Za-z_]\w*)$/.exec(text)?.[1];
  if (whole !== undefined) return readVariable(whole, environment, noteFile);
  let failed: Substituted | undefined;
  const value = text.replaceAll(/\$\{([A-Za-z_]\w*)\}/g, (_, name: string) => {
    const found = readVariable(name, environment, noteFile);
    if (found.kind === "value") return found.value;
    failed ??= found;
    return "";
  });
  return failed ?? { kind: "value", value };
}

function readVariable(name: string, environment: Environment, noteFile?: NoteFile): Substituted {
  const value = environment[name];
  const path = environment[`${name}_FILE`];
  if (!path) return value ? { kind: "value", value } : { kind: "absent", missing: name };
  if (value) return unreadable(`${name} and ${name}_FILE are both set: unset one of them`);
  const file = readCredentialFile(path);
  // Not its path: the variable may hold the key itself.
  if (file.kind === "unreadable") {
    return unreadable(`the file that ${name}_FILE names cannot be read (${file.code})`);
  }
  noteFile?.(path, file.text);
  const trimmed = file.text.trim();
  if (trimmed === "") return unreadable(`the file that ${name}_FILE names is empty`);
  return { kind: "value", value: trimmed };
}

function unreadable(problem: string): Substituted {
  return { kind: "unreadable", problem };
}

export type FileText =
  | { readonly kind: "read"; readonly text: string }
  | { readonly kind: "unreadable"; readonly code: string };

export function readCredentialFile(path: string): FileText {
  try {
    return { kind: "read", text: readFileSync(path, "utf8") };
  } catch (thrown) {
    const code = isObject(thrown) ? parseText(thrown.code) : undefined;
    return { kind: "unreadable", code: code ?? "unknown reason" };
  }
}
