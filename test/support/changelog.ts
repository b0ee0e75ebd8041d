/** CHANGELOG.md, as the check of breaking changes reads it. */

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

/** @returns the lines of a section of a version, without its heading */
export function sectionOf(changelog: string, version: string, section: string): string {
  const [, ofVersion = ''] = changelog.split(new RegExp(`^## ${version.replaceAll('.', '\\.')}$`, 'm'));
  const [untilNext = ''] = ofVersion.split(/^## /m);
  const [, ofSection = ''] = untilNext.split(new RegExp(`^### ${section}$`, 'm'));
  return ofSection.split(/^### /m)[0]?.trim() ?? '';
}

/** docs/versioning.md allows new scopes, which existing keys do not get. */
const isNewScope = ({ id, text }: BreakingChange): boolean =>
  id === 'response-property-enum-value-added' && text.includes('/scopes/items/`');

/** It also allows new types of jobs, which have results of their own. */
const isNewResult = ({ id, text }: BreakingChange): boolean =>
  id === 'response-property-any-of-added' && /`data\/(items\/items\/)?result\/anyOf/.test(text);

/**
 * @returns the breaking changes that no item under "Breaking" of the unreleased version declares: an item names the operation
 *   (`GET /projects`) and the kind of the change
 */
export function undeclared(changes: readonly BreakingChange[], changelog: string): string[] {
  const items = sectionOf(changelog, 'Unreleased', 'Breaking').split(/^\* /m);
  return changes
    .filter((change) => change.level === 3 && !isNewScope(change) && !isNewResult(change))
    .filter(({ id, operation, path }) => {
      const names = [`\`${operation} ${path}\``, `\`${id}\``];
      return !items.some((item) => names.every((name) => item.includes(name)));
    })
    .map(({ id, operation, path, text }) => `* \`${operation} ${path}\`, \`${id}\`: ${text}`);
}
