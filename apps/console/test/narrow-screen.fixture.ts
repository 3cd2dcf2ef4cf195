// A screen as narrow as a phone's, which tests of tables drawn as cards need.

/** Every question about the screen is answered with yes, until the function that it returns is called. */
export function narrowScreen(): () => void {
  const wide = globalThis.matchMedia;
  const list = wide("(width < 40rem)");
  const phone = new Proxy(list, {
    get: (_, name) => (name === "matches" ? true : () => undefined),
  });
  globalThis.matchMedia = () => phone;
  return () => {
    globalThis.matchMedia = wide;
  };
}
