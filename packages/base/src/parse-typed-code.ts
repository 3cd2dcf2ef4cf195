// Codes as people type and paste them: with spaces or hyphens of every kind, and in the letters and digits of full width
// that keyboards for Chinese, Japanese and Korean write. No other character stands for one of a code.

export function parseTypedCode(typed: string): string {
  return typed
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[\s\p{Pd}\u2212]/gu, "");
}
