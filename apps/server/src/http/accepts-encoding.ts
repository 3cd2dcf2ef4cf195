// Which compression the caller of a request takes. An encoding whose weight is 0 is refused.

const wanted = {
  br: /\bbr\b(?!\s{0,9};\s{0,9}q=0(?:\D|$))/,
  zstd: /\bzstd\b(?!\s{0,9};\s{0,9}q=0(?:\D|$))/,
  gzip: /\bgzip\b(?!\s{0,9};\s{0,9}q=0(?:\D|$))/,
} as const;

export function acceptsEncoding({ headers }: Request, name: keyof typeof wanted): boolean {
  return wanted[name].test(headers.get("accept-encoding") ?? "");
}
