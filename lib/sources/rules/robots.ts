/** The Robots Exclusion Protocol (RFC 9309). Pure, and bounded by the size of the file. */

import { productToken } from '../../readers/web-page/robots-directives.ts';
import { matchesWildcards, normalEscapes } from './urls.ts';

/** A rule of the group that applies. An empty list allows everything. */
export type RobotsRule = { allow: boolean; pattern: string };

/** "The parsing limit MUST be at least 500 kibibytes" (section 2.5). */
export const maxRobotsBytes = 512 * 1024;
const maxRules = 5000;
const maxRulesLength = 256 * 1024;

/** Nothing may be requested: robots.txt could not be read (section 2.3.1.4). */
export const nothingAllowed: readonly RobotsRule[] = [{ allow: false, pattern: '/' }];

/** @returns the rules of all groups for the product token, or of the groups for `*` */
export function robotsRules(text: string, token = productToken): RobotsRule[] {
  const tokenRules: RobotsRule[] = [];
  const defaultRules: RobotsRule[] = [];
  /** Whether the current group is for the token, and for `*`. */
  let group = { isOwn: false, isForOthers: false };
  let isAgentLine = false;
  let isNamed = false;
  let length = 0;
  for (const line of text.slice(0, maxRobotsBytes).split(/[\r\n]+/)) {
    const [content = ''] = line.split('#', 1);
    const colon = content.indexOf(':');
    if (colon === -1) continue;
    const key = content.slice(0, colon).trim().toLowerCase();
    const value = content.slice(colon + 1).trim();
    if (key === 'user-agent') {
      // Several such lines in a row start one group.
      if (!isAgentLine) group = { isOwn: false, isForOthers: false };
      isAgentLine = true;
      group.isOwn ||= agentOf(value) === token;
      group.isForOthers ||= value === '*';
      isNamed ||= group.isOwn;
      continue;
    }
    if (key !== 'allow' && key !== 'disallow') continue;
    isAgentLine = false;
    // An empty pattern matches nothing.
    if (value === '') continue;
    const pattern = escaped(value);
    for (const list of [...(group.isOwn ? [tokenRules] : []), ...(group.isForOthers ? [defaultRules] : [])]) {
      if (list.length >= maxRules || length + pattern.length > maxRulesLength) continue;
      length += pattern.length;
      list.push({ allow: key === 'allow', pattern });
    }
  }
  return isNamed ? tokenRules : defaultRules;
}

/** @returns the pattern as paths are written: with escapes for all that is not ASCII (section 2.2.2) */
const escaped = (pattern: string): string =>
  normalEscapes(pattern.toWellFormed().replace(/[^ -~]+/gu, encodeURIComponent));

/** Only letters, `_` and `-` belong to a token: `Example/1.0` names `example`. */
const agentOf = (value: string): string => (/^[A-Za-z_-]*/.exec(value)?.[0] ?? '').toLowerCase();

/** @returns whether the URL may be requested: the longest matching pattern decides, and `allow` wins a tie (section 2.2.2) */
export function isAllowedByRobots(rules: readonly RobotsRule[], { pathname, search }: URL): boolean {
  const path = pathname + search;
  if (path === '/robots.txt') return true;
  let strongest: RobotsRule | undefined;
  for (const rule of rules) {
    const longest = strongest?.pattern.length ?? -1;
    const isStronger =
      rule.pattern.length > longest || (rule.pattern.length === longest && rule.allow && !strongest?.allow);
    if (isStronger && matchesRule(rule.pattern, path)) strongest = rule;
  }
  return strongest?.allow ?? true;
}

/** `$` at the end stands for the end of the path. */
const matchesRule = (pattern: string, path: string): boolean =>
  pattern.endsWith('$')
    ? matchesWildcards(pattern.slice(0, -1), path, true)
    : matchesWildcards(pattern, path, false);
