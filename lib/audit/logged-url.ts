/**
 * The part of a webhook's URL that logs may show. The query often has a secret of the receiver.
 * @param url valid; a log may also have null, for no URL
 * @returns the origin and the path
 */
export function loggedUrl(url: unknown): unknown {
  if (typeof url !== 'string' || !URL.canParse(url)) return null;
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
