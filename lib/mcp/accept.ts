/** The header Accept says whether the sender of a request takes JSON (RFC 9110, section 12.5.1). Pure. */

/** The ranges are sorted from the most specific to the least specific. The most specific range of a header decides. */
const ranges = ['application/json', 'application/*', '*/*'] as const;

/**
 * The protocol says that a client lists `application/json` and `text/event-stream`. Every answer of this server is JSON, so a
 * client only has to take JSON.
 * @param values the values of the header; without a value, every type is accepted
 */
export function takesJson(values: readonly string[]): boolean {
  const acceptedRanges = values
    .flatMap((value) => value.split(','))
    .map(rangeIn)
    .filter(({ range }) => range !== '');
  if (acceptedRanges.length === 0) return true;
  const deciding = ranges.find((candidate) => acceptedRanges.some(({ range }) => range === candidate));
  return acceptedRanges.some(({ range, isRefused }) => range === deciding && !isRefused);
}

function rangeIn(part: string): { range: string; isRefused: boolean } {
  const [range = '', ...parameters] = part.split(';').map((parameter) => parameter.trim().toLowerCase());
  return { range, isRefused: parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) };
}
