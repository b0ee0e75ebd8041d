/**
 * If-Match names the version that a caller wants to change. If-None-Match names the version that a caller has (RFC 9110
 * sections 8.8.3, 13.1.1 and 13.1.2).
 */

/** @returns whether the header names this entity tag; undefined means that the resource has no version */
export type EntityTagTest = (entityTag: string | undefined) => boolean;

/** Without If-Match, every version matches, so the last write wins. */
export const anyVersion: EntityTagTest = () => true;

/** Without a valid If-None-Match, no version matches, so the response is complete. */
export const noVersion: EntityTagTest = () => false;

/** An entity tag, such as `"3"` or `W/"3"`. */
const tag = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`;
const list = new RegExp(`^${tag}(?:[ \\t]*,[ \\t]*${tag})*$`);
const tags = new RegExp(tag, 'g');

/**
 * @param values at least one value of the header, as sent
 * @returns the test, or undefined if the values are not a valid If-Match. `*` matches every version. A weak tag matches
 *   none, because If-Match uses strong comparison (section 8.8.3.2)
 */
export function parseIfMatch(values: readonly string[]): EntityTagTest | undefined {
  const text = values.join(',').trim();
  if (text === '*') return (entityTag) => entityTag !== undefined;
  if (!list.test(text)) return undefined;
  const entityTags = new Set<string | undefined>(text.match(tags));
  return (entityTag) => entityTag !== undefined && entityTags.has(entityTag);
}

/**
 * @param values at least one value of the header, as sent
 * @returns the test, or undefined if the values are not a valid If-None-Match. Weak tags match too (section 13.1.2)
 */
export const parseIfNoneMatch = (values: readonly string[]): EntityTagTest | undefined =>
  parseIfMatch(values.map((value) => value.replaceAll('W/"', '"')));

/** @returns the entity tag of a version, a whole number */
export const entityTag = (version: number): string => `"${version}"`;

export const versionHeader = {
  ETag: {
    description: 'The version of the resource, for `If-Match`.',
    value: ({ version }: { version: number }) => entityTag(version),
  },
};
