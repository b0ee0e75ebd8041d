/** The URLs of a source: one spelling for each, so that each page has one URL, and the pages that the source includes. Pure. */

import { hash } from 'node:crypto';
import { hostOf, isLoopbackHost, type UrlRules } from '../../network/addresses.ts';
import { maxUrlLength, unreachable } from '../../network/url-form.ts';
import type { KnowledgeSource } from '../schema/source.ts';

/** Parameters that say where a visitor came from. They do not change the page. */
const isTracking = (name: string) => name.startsWith('utm_') || trackers.has(name);
const trackers = new Set(
  (
    '_ga _gl _hsenc _hsmi dclid epik fbclid gbraid gclid igshid li_fat_id mc_cid mc_eid mkt_tok msclkid oly_anon_id oly_enc_id ' +
    'rb_clickid s_cid srsltid ttclid twclid vero_conv vero_id wbraid wickedid yclid'
  ).split(' '),
);
/** The session of a visitor, which a server of Java writes into paths (Jakarta Servlet 6.0, section 7.1.3). */
const session = /;jsessionid=[^/;]*/gi;

/**
 * @param base the page that has the link
 * @returns the URL without fragment, session and tracking parameters, and with one form of percent-encoding (RFC 3986, section 6.2.2);
 *   undefined if it is not a URL that a crawl requests. Except in development, `http:` becomes `https:`
 */
export function canonicalUrl(text: string, rules: UrlRules, base?: string): string | undefined {
  if (text.length > 2 * maxUrlLength || !URL.canParse(text, base)) return undefined;
  const url = new URL(text, base);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  if (url.username !== '' || url.password !== '' || unreachable(url.href)) return undefined;
  const isLocal = rules.allowLoopback && isLoopbackHost(hostOf(url));
  if (url.protocol === 'http:' && !isLocal) url.protocol = 'https:';
  url.hash = '';
  url.pathname = normalEscapes(url.pathname).replace(session, '');
  const query = url.search.slice(1).split('&').filter(Boolean);
  const parameters = query.filter((part) => !isTracking(part.split('=', 1)[0] ?? ''));
  url.search = normalEscapes(parameters.join('&'));
  return url.href.length <= maxUrlLength ? url.href : undefined;
}

const unreserved = /^[A-Za-z0-9\-._~]$/;

/** Decodes what needs no escape, and writes all other escapes in capitals. */
export const normalEscapes = (text: string): string =>
  text.replace(/%([0-9A-Fa-f]{2})/g, (sequence, digits: string) => {
    const character = String.fromCharCode(Number.parseInt(digits, 16));
    return unreserved.test(character) ? character : sequence.toUpperCase();
  });

export const pageIdPattern = /^[0-9a-f]{64}$/;

/** @returns the id of the page, which is also the `externalId` of its document: a SHA-256 in hexadecimal */
export const pageIdOf = (canonical: string): string => hash('sha256', canonical, 'hex');

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

/**
 * Patterns have `*` for any characters. The work is at most the length of the text times the length of the pattern.
 * @param isWhole whether the pattern must match the whole text, not only its beginning
 * @returns whether the text matches. Leftmost places suffice, so nothing is tried twice
 */
export function matchesWildcards(pattern: string, text: string, isWhole: boolean): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (!text.startsWith(first)) return false;
  if (rest.length === 0) return !isWhole || text.length === first.length;
  const last = isWhole ? (rest.pop() ?? '') : '';
  let at = first.length;
  for (const part of rest) {
    const index = text.indexOf(part, at);
    if (index === -1) return false;
    at = index + part.length;
  }
  return text.length - at >= last.length && text.endsWith(last);
}
