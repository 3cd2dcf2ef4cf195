// What authenticates by a cookie is answered to our own pages only.

/** Other sites may not read these answers. */
export function withoutCors(response: Response): Response {
  response.headers.delete("access-control-allow-origin");
  response.headers.delete("access-control-expose-headers");
  return response;
}
