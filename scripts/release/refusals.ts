/** Why a release is refused. */

import { isOlder } from '../../lib/http/client-version.ts';
import { mayBreak, parseVersion } from './version.ts';

/** The breaking changes of the OpenAPI document since the last tag, or why they are unknown. */
export type Report = { breaking: number; undeclared: readonly string[] } | { unknown: string };

export type Facts = {
  /** As the operator wrote it. */
  version: string;
  branch: string;
  isClean: boolean;
  /** Whether the changed files have the version, but the last commit does not: a run ended before its commit. */
  isInterrupted: boolean;
  /** The version of the last tag. Before the first tag, the version in package.json. */
  last: string;
  /** Whether git has the tag of the version, anywhere. */
  isTagged: boolean;
  /** How many items "Unreleased" has in CHANGELOG.md, and how many of them are under "Breaking". */
  items: number;
  breakingItems: number;
  report: Report;
};

/** @returns every reason, so that one run shows all of them; empty if the release may be made */
export function refusals(facts: Facts): string[] {
  const { version, branch, isClean, isInterrupted, isTagged, items } = facts;
  const reasons: string[] = [];
  if (!isClean) reasons.push('The tree has changes that are not committed.');
  if (isInterrupted)
    reasons.push(`A release of ${version} was interrupted: \`git restore .\` undoes its changes.`);
  if (branch !== 'main') reasons.push(`A release is made on main, not on ${branch || 'a detached HEAD'}.`);
  if (isTagged) reasons.push(`There is already a tag v${version}.`);
  if (items === 0) reasons.push('"Unreleased" in CHANGELOG.md has no items.');
  return [...reasons, ...ofVersion(facts), ...ofReport(facts.report)];
}

function ofVersion({ version, last, breakingItems, report }: Facts): string[] {
  const [next, before] = [parseVersion(version), parseVersion(last)];
  if (!next) return [`"${version}" is not a version such as 0.2.0.`];
  if (!before) return [`The last release has no version such as 0.2.0: "${last}".`];
  if (!isOlder(before, next)) return [`${version} is not greater than ${last}, the last release.`];
  const breaks = breakingItems > 0 || ('breaking' in report && report.breaking > 0);
  if (!breaks || mayBreak(before, next)) return [];
  const part = before[0] === 0 ? 'minor' : 'major';
  return [`There are breaking changes since ${last}, so ${version} needs a greater ${part} version.`];
}

function ofReport(report: Report): string[] {
  if ('unknown' in report) return [`The breaking changes are unknown: ${report.unknown}`];
  if (report.undeclared.length === 0) return [];
  return [`"Breaking" in CHANGELOG.md does not declare:\n${report.undeclared.join('\n')}`];
}
