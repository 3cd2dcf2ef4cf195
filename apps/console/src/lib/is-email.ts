// Whether a text looks like an email address; the server decides.

export function isEmail(text: string): boolean {
  return /^[^\s@]{1,64}@[^\s@]{1,190}\.[^\s@]{1,63}$/.test(text);
}
