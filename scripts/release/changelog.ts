/** CHANGELOG.md: its sections, and what a release changes in it. */

/** A breaking change, as `oasdiff breaking --format json` reports it. */
export type BreakingChange = {
  /** Its kind, such as `api-removed-without-deprecation`. */
  id: string;
  text: string;
  /** 1: information, 2: perhaps breaking, 3: breaking. */
  level: number;
  operation: string;
  path: string;
};

/** The lines below a heading, until the next heading of the same level. A release has its date behind its version. */
function below(text: string, marks: '##' | '###', name: string): string {
  const lines = text.split('\n');
  const heading = `${marks} ${name}`;
  const start = lines.findIndex((line) => line === heading || line.startsWith(`${heading} (`));
  if (start < 0) return '';
  const end = lines.findIndex((line, at) => at > start && line.startsWith(`${marks} `));
  return lines
    .slice(start + 1, end < 0 ? undefined : end)
    .join('\n')
    .trim();
}

/** @returns the text of a version, without its heading */
export const versionIn = (changelog: string, version: string): string => below(changelog, '##', version);

/** @returns the lines of a section of a version, without its heading */
export const sectionOf = (changelog: string, version: string, section: string): string =>
  below(versionIn(changelog, version), '###', section);

/** @returns how many items a text lists. `Nothing.` is no item */
export const itemsIn = (text: string): number =>
  text.split('\n').filter((line) => line.startsWith('* ')).length;

/**
 * @param date such as `2026-03-01`
 * @returns the changelog in which the unreleased changes are those of the version
 */
export function releasedChangelog(changelog: string, version: string, date: string): string {
  const next = '## Unreleased\n\n### Breaking\n\nNothing.\n\n';
  return changelog.replace('## Unreleased\n', () => `${next}## ${version} (${date})\n`);
}

/** docs/versioning.md allows new scopes, which existing keys do not get. */
const isNewScope = ({ id, text }: BreakingChange): boolean =>
  id === 'response-property-enum-value-added' && text.includes('/scopes/items/`');

/** It also allows new types of jobs, which have results of their own. */
const isNewResult = ({ id, text }: BreakingChange): boolean =>
  id === 'response-property-any-of-added' && /`data\/[^`]{0,200}result\/anyOf/.test(text);

/** New types of events. A webhook gets only the types that it asks for, and a reader of events ignores the types that it does not know. */
const isNewEventType = ({ id, path, text }: BreakingChange): boolean =>
  (id === 'response-property-enum-value-added' && text.includes('/eventTypes/items/`')) ||
  (id === 'response-property-one-of-added' && path.startsWith('/events'));

/** New fields in the data of an event, of which oasdiff sees the request to a webhook. */
const isNewEventField = ({ id, path }: BreakingChange): boolean =>
  id === 'new-required-request-property' && path.startsWith('webhook:');

/** The bounds of a safe integer, which the document no longer repeats where a field can be null. */
const isNoBound = ({ id, text }: BreakingChange): boolean =>
  /^response-property-(min|max)-unset$/.test(id) && text.includes('9007199254740991');

/** The groups of statistics: a pattern has replaced the enum, and accepts its values and the names of scores. */
const isNewGroup = ({ id, path, text }: BreakingChange): boolean =>
  /^request-parameter-(enum-value-removed|pattern-added)$/.test(id) &&
  path.endsWith('/conversations/stats') &&
  text.includes('`groupBy`');

const allowed = [isNewScope, isNewResult, isNewEventType, isNewEventField, isNoBound, isNewGroup];

/** @returns the changes that break what docs/versioning.md promises */
export const breaking = (changes: readonly BreakingChange[]): BreakingChange[] =>
  changes.filter((change) => change.level === 3 && !allowed.some((isAllowed) => isAllowed(change)));

/**
 * @returns the breaking changes that no item under "Breaking" of the unreleased version declares: an item names the operation
 *   (`GET /projects`) and the kind of the change
 */
export function undeclared(changes: readonly BreakingChange[], changelog: string): string[] {
  const items = sectionOf(changelog, 'Unreleased', 'Breaking').split(/^\* /m);
  return breaking(changes)
    .filter(({ id, operation, path }) => {
      const names = [`\`${operation} ${path}\``, `\`${id}\``];
      return !items.some((item) => names.every((name) => item.includes(name)));
    })
    .map(({ id, operation, path, text }) => `* \`${operation} ${path}\`, \`${id}\`: ${text}`);
}
