// Which compression the caller of a request takes. An encoding whose weight is 0 is refused.

const wanted = {
  br: /\bbr\b(?!\s{0,9};\s{0,9}q=0(?:\.0{1,3})?(?:[^.\d]|$))/,
  zstd: /\bzstd\b(?!\s{0,9};\s{0,9}q=0(?:\.0{1,3})?(?:[^.\d]|$))/,
  gzip: /\bgzip\b(?!\s{0,9};\s{0,9}q=0(?:\.0{1,3})?(?:[^.\d]|$))/,
} as const;

export function acceptsEncoding({ headers }: Request, name: keyof typeof wanted): boolean {
  return wanted[name].test(headers.get("accept-encoding") ?? "");
}
