// Fills `${NAME}` and `os.environ/NAME` of a catalogue value from a given environment. An unset or
// empty variable makes the whole value absent: half a URL or half a key is worse than no value.

export type Environment = Readonly<Record<string, string | undefined>>;

export type Substituted =
  | { readonly kind: "value"; readonly value: string }
  | { readonly kind: "absent"; readonly missing: string };

/** `os.environ/NAME` must be the whole value; `${NAME}` may appear anywhere, several times. */
export function substitute(text: string, environment: Environment): Substituted {
  const whole = /^os\.environ\/([A-Za-z_]\w*)$/.exec(text)?.[1];
  if (whole !== undefined) {
    const value = environment[whole];
    return value ? { kind: "value", value } : { kind: "absent", missing: whole };
  }
  let missing: string | undefined;
  const value = text.replaceAll(/\$\{([A-Za-z_]\w*)\}/g, (_, name: string) => {
    const found = environment[name];
    if (!found) missing ??= name;
    return found ?? "";
  });
  return missing === undefined ? { kind: "value", value } : { kind: "absent", missing };
}
