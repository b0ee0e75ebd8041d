/** Which URLs belong to a source. Pure. */

import type { KnowledgeSource } from '../schema/source.ts';
import { matchesWildcards } from './wildcards.ts';

type Rules = Pick<KnowledgeSource, 'url' | 'include' | 'exclude'>;

/**
 * A pattern that starts with `/` is about paths of the source's host, any other pattern about whole URLs. Without such a
 * pattern in `include`, no other host belongs to the source.
 */
export function isInScope(canonical: string, { url, include, exclude }: Rules): boolean {
  const [sourceUrl, pageUrl] = [new URL(url), new URL(canonical)];
  const isOwnHost = sourceUrl.host === pageUrl.host;
  const path = pageUrl.pathname + pageUrl.search;
  const matches = (pattern: string) =>
    pattern.startsWith('/')
      ? isOwnHost && matchesWildcards(pattern, path, true)
      : matchesWildcards(pattern, canonical, true);
  if (exclude.some(matches)) return false;
  return include.length === 0 ? isOwnHost : include.some(matches);
}
