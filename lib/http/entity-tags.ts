/**
 * If-Match: the version that a caller has in mind when changing something. If-None-Match: the one that a caller has
 * already (RFC 9110 sections 8.8.3, 13.1.1 and 13.1.2).
 */

/** @returns whether the caller means the version with this entity tag; undefined where there is no version */
export type EntityTagTest = (entityTag: string | undefined) => boolean;

/** Without If-Match, the last write wins. */
export const anyVersion: EntityTagTest = () => true;

/** Without a valid If-None-Match, the caller has none: the response is then a whole one, which is never wrong. */
export const noVersion: EntityTagTest = () => false;

/** One entity tag: `"3"`, or `W/"3"`. */
const tag = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`;
const list = new RegExp(`^${tag}(?:[ \\t]*,[ \\t]*${tag})*$`);
const tags = new RegExp(tag, 'g');

/**
 * @param values of the header, as sent, at least one
 * @returns the test, or undefined where they are no valid If-Match. `*` means whatever version there is; a weak tag
 *   matches none, as If-Match compares strongly (section 8.8.3.2)
 */
export function parseIfMatch(values: readonly string[]): EntityTagTest | undefined {
  const text = values.join(',').trim();
  if (text === '*') return (entityTag) => entityTag !== undefined;
  if (!list.test(text)) return undefined;
  const named = new Set<string | undefined>(text.match(tags));
  return (entityTag) => entityTag !== undefined && named.has(entityTag);
}

/**
 * @param values of the header, as sent, at least one
 * @returns the test, or undefined where they are no valid If-None-Match. Weak tags match too (section 13.1.2)
 */
export const parseIfNoneMatch = (values: readonly string[]): EntityTagTest | undefined =>
  parseIfMatch(values.map((value) => value.replaceAll('W/"', '"')));

/** @returns the entity tag of a version, a whole number */
export const entityTagOf = (version: number): string => `"${version}"`;

/** The response header of a resource that has versions. */
export const versionHeader = {
  ETag: {
    description: 'The version of the resource, for `If-Match`.',
    value: ({ version }: { version: number }) => entityTagOf(version),
  },
};
