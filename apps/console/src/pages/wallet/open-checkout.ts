// Opens the payment page, which is on our own origin or at the processor; the server chose its address.
// Anything that is not a web address is never followed.

/** False if the address is not valid. */
export function isCheckout(address: string): boolean {
  if (!URL.canParse(address, location.href)) return false;
  return /^https?:$/.test(new URL(address, location.href).protocol);
}

const givesUpAfterMs = 15_000;

/**
 * Goes there, and resolves when this page becomes visible again: after Back the browser restores it as it
 * was, and a payment page that never opens must not leave the button pending forever.
 */
export function openCheckout(address: string): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, givesUpAfterMs);
    addEventListener(
      "pageshow",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
    location.assign(address);
  });
}
