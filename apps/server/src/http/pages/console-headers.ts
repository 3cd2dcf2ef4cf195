// The headers of every page and asset of the console. The policy allows no inline script and no
// other origin; what a browser refuses because of it is reported back and counted.
import type { Config } from "../../config.ts";

export const reportPath = "/console/csp-report";

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src-elem 'self'",
  // Elements are positioned from code; no markup has inline styles.
  "style-src-attr 'none'",
  // What was drawn, spoken or recorded exists only in the page, which makes addresses of its own for it.
  "img-src 'self' data: blob:",
  "media-src blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  `report-uri ${reportPath}`,
];

/** `report-to` works on https only; where both are present, browsers ignore `report-uri`. */
export function consoleHeaders({ PUBLIC_URL }: Config): Readonly<Record<string, string>> {
  const secure = PUBLIC_URL.startsWith("https:");
  const directives = secure ? [...policy, "report-to csp"] : policy;
  return {
    "content-security-policy": directives.join("; "),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    // The playground records what is to be written down, once the browser has asked.
    "permissions-policy":
      "camera=(), display-capture=(), geolocation=(), microphone=(self), payment=(), usb=()",
    ...(secure && { "reporting-endpoints": `csp="${PUBLIC_URL}${reportPath}"` }),
  };
}
