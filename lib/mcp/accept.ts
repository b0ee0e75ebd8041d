/** Whether the sender of a request takes JSON: content negotiation by the header Accept (RFC 9110, section 12.5.1). Pure. */

/** From the most specific range to the least specific. The most specific range of a header decides. */
const ranges = ['application/json', 'application/*', '*/*'] as const;

/**
 * The protocol says that a client lists `application/json` and `text/event-stream`. Every answer of this server is JSON, so a client
 * only has to take JSON.
 * @param values of the header. Without a value, every type is accepted
 */
export function takesJson(values: readonly string[]): boolean {
  const listed = values
    .flatMap((value) => value.split(','))
    .map(rangeIn)
    .filter(({ range }) => range !== '');
  if (listed.length === 0) return true;
  const deciding = ranges.find((one) => listed.some(({ range }) => range === one));
  return listed.some(({ range, isRefused }) => range === deciding && !isRefused);
}

function rangeIn(part: string): { range: string; isRefused: boolean } {
  const [range = '', ...parameters] = part.split(';').map((one) => one.trim().toLowerCase());
  return { range, isRefused: parameters.some((one) => /^q=0(\.0*)?$/.test(one)) };
}
