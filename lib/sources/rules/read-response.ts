/** What the response to a request for a page means. Pure, apart from the readers that it gets. */

import { hash } from 'node:crypto';
import type { UrlRules } from '../../network/addresses.ts';
import type { Fetched, GetError, Head } from '../../network/get.ts';
import { decode, notesOf } from '../../readers/encoding/decode.ts';
import { cutTo, sectionsOf, withoutMarks } from '../../readers/sections.ts';
import { type ExtractedText, maxTextBytes } from '../../readers/types.ts';
import type { ReadPage } from '../../readers/web-page/read-page.ts';
import { bothOf, directivesOfHeaders } from '../../readers/web-page/robots-directives.ts';
import { bodyTypeOf } from './body-type.ts';
import {
  failure,
  isBusy,
  isRedirect,
  noLinks,
  type Outcome,
  type PageContent,
  type PageFailure,
  type PageLinks,
  retryPauseMs,
} from './outcome.ts';
import { canonicalUrl } from './urls.ts';

/** The request that a response answers. */
export type Requested = { url: string; isConditional: boolean };

const errorMessages: Readonly<Record<GetError, string>> = {
  name_not_found: 'The name of the host has no address.',
  address_not_allowed: 'The address is not public.',
  connection_failed: 'The host could not be reached.',
  tls_failed: 'The certificate of the host is not valid.',
  timeout: 'The response took too long.',
  too_slow: 'The file came too slowly.',
  invalid_response: 'The response was incomplete or malformed.',
  too_large: 'The page has more than 5 MB, or the file more than 25 MB.',
};
const temporary = new Set<GetError>(['connection_failed', 'timeout', 'invalid_response', 'name_not_found']);

type Context = {
  rules: UrlRules;
  /** For a `Retry-After` with a date. */
  nowMs: number;
  /** @returns what a page has; undefined if reading it takes too much */
  readHtml(html: string): Promise<ReadPage | undefined>;
  /** @returns the text of a file, or why there is none */
  readFile(file: Uint8Array, contentType: string | undefined): Promise<ExtractedText | PageFailure>;
};

export async function outcomeOf(
  response: Fetched | { error: GetError },
  { url, isConditional }: Requested,
  context: Context,
): Promise<Outcome> {
  if ('error' in response) {
    const { error } = response;
    return failure(error, errorMessages[error], temporary.has(error));
  }
  const { status, headers } = response;
  // The server may have been told so without a change of the page.
  if (status === 304 && isConditional)
    return isLeftOut(headers) ? { kind: 'noindex' } : { kind: 'unchanged' };
  if (status === 404 || status === 410) return { kind: 'gone' };
  if (isRedirect(response)) {
    const { location } = headers;
    const to = location === undefined ? undefined : canonicalUrl(location, context.rules, url);
    return to === undefined ? failure('redirect', 'It redirects to no page.') : { kind: 'moved', to };
  }
  if (status === 200) return contentOf(response, url, context);
  const pauseMs = retryPauseMs(response, context.nowMs);
  return {
    ...failure('http_error', `The server answered with ${status}.`, isBusy(response)),
    ...(pauseMs !== undefined && { pauseMs }),
  };
}

async function contentOf(response: Fetched, url: string, context: Context): Promise<Outcome> {
  const { headers, body } = response;
  const type = bodyTypeOf(headers.contentType, body);
  if (type.kind === 'refused') return failure('unsupported_type', type.message);
  return type.kind === 'page' ? pageOf(response, url, context) : fileOf(response, url, context);
}

async function pageOf(
  { headers, body }: Fetched,
  url: string,
  { rules, readHtml }: Context,
): Promise<Outcome> {
  const decoded = decode(body, { isMarkup: true, contentType: headers.contentType });
  const page = await readHtml(decoded.text);
  if (!page) return failure('document_too_complex', 'Reading the page takes too much time or memory.');
  const from = baseOf(page, url);
  const [to, canonical] = [page.head.refreshTo, page.head.canonical].map((address) =>
    address === undefined ? undefined : canonicalUrl(address, rules, from),
  );
  // A page that shows itself again is no redirect.
  if (to !== undefined && to !== url) return { kind: 'moved', to };
  const { noindex, nofollow } = bothOf(page.head, directivesOfHeaders(headers.robotsTags ?? []));
  const links = nofollow ? noLinks : linksOf(page, from, rules);
  if (noindex) return { kind: 'noindex', links };
  const text = page.text.toWellFormed();
  if (text === '') return { ...failure('no_text', 'The page contains no text.'), links };
  if (Buffer.byteLength(text) > maxTextBytes)
    return { ...failure('document_too_large', 'The text of the page has more than 5 MB.'), links };
  const title = titleOf([page.title, headingOf(text), url]);
  const isNamed =
    canonical !== undefined && canonical !== url && new URL(canonical).host === new URL(url).host;
  return {
    ...contentWith({ title, text, mimeType: 'text/markdown', notes: notesOf(decoded) }, headers),
    links,
    ...(isNamed && { canonical }),
  };
}

/** The links of a file are not followed. */
async function fileOf({ headers, body }: Fetched, url: string, { readFile }: Context): Promise<Outcome> {
  if (isLeftOut(headers)) return { kind: 'noindex', links: noLinks };
  const file = await readFile(body, headers.contentType);
  if ('kind' in file) return file;
  const { text, mimeType, notes } = file;
  const heading = mimeType === 'text/markdown' ? headingOf(text) : '';
  const title = titleOf([file.title ?? '', heading, nameIn(url), url]);
  return { ...contentWith({ title, text, mimeType, notes }, headers), links: noLinks };
}

const contentWith = (
  { title, text, mimeType, notes }: Pick<PageContent, 'title' | 'text' | 'mimeType' | 'notes'>,
  { etag, lastModified }: Fetched['headers'],
) => ({
  kind: 'content' as const,
  title,
  text,
  mimeType,
  notes,
  contentHash: hash('sha256', JSON.stringify([title, text]), 'hex'),
  ...(etag !== undefined && etag.length <= maxHeaderLength && { etag }),
  ...(lastModified !== undefined && lastModified.length <= maxHeaderLength && { lastModified }),
});

const maxHeaderLength = 500;
const maxTitleLength = 200;

function headingOf(text: string): string {
  const [, first] = sectionsOf(text);
  return first ? (withoutMarks(first).split('\n', 1)[0] ?? '') : '';
}

/** @returns the name of a file in its address, decoded */
function nameIn(url: string): string {
  const name = new URL(url).pathname.split('/').findLast((part) => part !== '') ?? '';
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** @returns the first that is visible, without control characters */
function titleOf(titles: readonly string[]): string {
  const clean = (one: string) => cutTo(one.toWellFormed().replace(/\p{Cc}/gu, ' '), maxTitleLength).trim();
  const isVisible = (one: string) => /[^\s\p{Cf}\p{Z}]/u.test(one);
  return titles.map(clean).find(isVisible) ?? 'Untitled';
}

/** Whether the server says that the page is left out. */
export const isLeftOut = ({ robotsTags = [] }: Head['headers']): boolean =>
  directivesOfHeaders(robotsTags).noindex;

/** @returns the address to which those in the page are relative */
const baseOf = ({ base }: ReadPage, url: string): string =>
  base !== undefined && URL.canParse(base, url) ? new URL(base, url).href : url;

function linksOf({ links, isCut }: ReadPage, from: string, rules: UrlRules): PageLinks {
  const urls = new Set<string>();
  for (const link of links) {
    const canonical = canonicalUrl(link, rules, from);
    if (canonical !== undefined) urls.add(canonical);
  }
  return { urls: [...urls], isCut };
}
