// Which names of models can be part of an address. URL parsers read `.` and `..` as steps through a path, in any
// spelling, and a slash, `?`, `#`, `%` or a colon would name another path or method than the catalog says.

/** Whether `name` stays one segment of a path, and says nothing beyond it. */
export function isPathSegment(name: string): boolean {
  return /^[\w.@-]+$/.test(name) && !/^\.+$/.test(name);
}
