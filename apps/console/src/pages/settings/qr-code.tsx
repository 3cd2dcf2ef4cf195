// Draws a text as a QR code: dark on white in every theme, because cameras expect it. Made in the browser, so
// that the secret in it goes nowhere.
import type { JSX } from "solid-js";
import { encode } from "uqr";

const quietModules = 4;

export function QrCode(props: { text: string; label: string }): JSX.Element {
  const drawn = () => {
    const { size, data } = encode(props.text, { ecc: "M", border: quietModules });
    const path = data.flatMap((row, y) =>
      row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
    );
    return { size, path: path.join("") };
  };
  return (
    <svg
      role="img"
      aria-label={props.label}
      viewBox={`0 0 ${drawn().size} ${drawn().size}`}
      shape-rendering="crispEdges"
      class="mx-auto size-52 rounded-control"
    >
      <rect width="100%" height="100%" fill="#fff" />
      <path d={drawn().path} fill="#000" />
    </svg>
  );
}
