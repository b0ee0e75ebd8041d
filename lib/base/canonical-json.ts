/**
 * JSON with the fields of every object sorted by UTF-16 code units, as in RFC 8785.
 * @param value a result of JSON.parse, no deeper than the endpoint's schema allows
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const object = value as Readonly<Record<string, unknown>>;
  // Without a comparison, sort() compares UTF-16 code units.
  const members = Object.keys(object)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(object[name])}`);
  return `{${members.join(',')}}`;
}
