// Leads to the payment page. The page is on our own origin or at the processor, whose address the
// server chose; a text that is no web address is never followed.

/** False where the address is none to go to. */
export function isCheckout(address: string): boolean {
  if (!URL.canParse(address, location.href)) return false;
  return /^https?:$/.test(new URL(address, location.href).protocol);
}

const givesUpAfterMs = 15_000;

/**
 * Goes there, and waits until this page is looked at again: after Back the browser shows it as it was,
 * and a payment page that never opens must not leave the button waiting for good.
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
