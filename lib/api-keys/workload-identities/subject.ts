/**
 * A workload identity accepts one subject (`sub`), or a pattern of subjects. `:` and `/` separate the segments of a subject.
 * `*` stands for one or more characters inside a segment, never for a separator, and never for `%`, with which an
 * issuer may encode a separator. The first two segments name the owner (`repo:acme/…`, `organization:acme:…`), so they have no
 * `*`.
 */

export const maxSubjectLength = 255;

const printable = /^[\x20-\x7e]+$/;
/** The separators are parts of the result, so they are compared, too. */
const partsOf = (text: string) => text.split(/([:/])/);
/** Two segments and the separator between them. */
const ownerParts = 3;

/** @returns why a subject or a pattern is refused, or undefined if it is not */
export function refuseSubject(pattern: string): string | undefined {
  if (!isSubject(pattern)) return `must be 1 to ${maxSubjectLength} printable ASCII characters`;
  const parts = partsOf(pattern);
  if (parts.slice(0, ownerParts).some((part) => part.includes('*'))) {
    return 'must not have * in the first two segments, which name the owner';
  }
  if (parts.some((part) => part.indexOf('*') !== part.lastIndexOf('*'))) {
    return 'must not have more than one * in a segment';
  }
  return undefined;
}

/** @returns whether a token can have this subject: 1 to 255 printable ASCII characters */
export const isSubject = (text: string): boolean => text.length <= maxSubjectLength && printable.test(text);

/**
 * Case matters. The time is linear in the length of both.
 * @param pattern for which `refuseSubject` has no reason
 * @param subject the subject of a token
 * @returns whether the pattern has this subject
 */
export function matchesSubject(pattern: string, subject: string): boolean {
  if (!isSubject(subject)) return false;
  const patternParts = partsOf(pattern);
  const subjectParts = partsOf(subject);
  return (
    patternParts.length === subjectParts.length &&
    patternParts.every((part, index) => matchesPart(part, subjectParts[index] ?? ''))
  );
}

function matchesPart(pattern: string, text: string): boolean {
  const star = pattern.indexOf('*');
  if (star < 0) return text === pattern;
  const before = pattern.slice(0, star);
  const after = pattern.slice(star + 1);
  if (!text.startsWith(before) || !text.endsWith(after)) return false;
  const between = text.slice(before.length, text.length - after.length);
  return text.length > before.length + after.length && !between.includes('%');
}
