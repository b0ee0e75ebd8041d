/** What the response to a request for a page means. Pure. */

import { hash } from 'node:crypto';
import type { UrlRules } from '../../network/addresses.ts';
import type { Fetched, GetError } from '../../network/get.ts';
import { decode, notesOf } from '../../readers/encoding/decode.ts';
import { isHtml } from '../../readers/html/is-html.ts';
import { cutTo, sectionsOf, withoutMarks } from '../../readers/sections.ts';
import { maxTextBytes } from '../../readers/types.ts';
import type { ReadPage } from '../../readers/web-page/read-page.ts';
import { failure, isBusy, isRedirect, type Outcome, type PageLinks, retryPauseMs } from './outcome.ts';
import { canonicalUrl } from './urls.ts';

/** The request that a response answers. */
export type Requested = { url: string; isConditional: boolean };

const errorMessages: Readonly<Record<GetError, string>> = {
  name_not_found: 'The name of the host has no address.',
  address_not_allowed: 'The address is not public.',
  connection_failed: 'The host could not be reached.',
  tls_failed: 'The certificate of the host is not valid.',
  timeout: 'The response took too long.',
  invalid_response: 'The response was incomplete or malformed.',
  too_large: 'The page has more than 5 MB.',
};
const temporary = new Set<GetError>(['connection_failed', 'timeout', 'invalid_response', 'name_not_found']);

/** @returns what a page has; undefined if reading it takes too much */
export type ReadHtml = (html: string) => Promise<ReadPage | undefined>;

/** @param nowMs for a `Retry-After` with a date */
export async function outcomeOf(
  response: Fetched | { error: GetError },
  { url, isConditional }: Requested,
  { rules, nowMs, readHtml }: { rules: UrlRules; nowMs: number; readHtml: ReadHtml },
): Promise<Outcome> {
  if ('error' in response) {
    const { error } = response;
    return failure(error, errorMessages[error], temporary.has(error));
  }
  const { status, headers } = response;
  if (status === 304 && isConditional) return { kind: 'unchanged' };
  if (status === 404 || status === 410) return { kind: 'gone' };
  if (isRedirect(response)) {
    const { location } = headers;
    const to = location === undefined ? undefined : canonicalUrl(location, rules, url);
    return to === undefined ? failure('redirect', 'It redirects to no page.') : { kind: 'moved', to };
  }
  if (status === 200) return contentOf(response, url, rules, readHtml);
  const pauseMs = retryPauseMs(response, nowMs);
  return {
    ...failure('http_error', `The server answered with ${status}.`, isBusy(response)),
    ...(pauseMs !== undefined && { pauseMs }),
  };
}

const types: Readonly<Record<string, 'html' | 'text'>> = {
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'text/plain': 'text',
  'text/markdown': 'text',
  'text/x-markdown': 'text',
};

const sniffBytes = 1024;

/** @returns undefined for another type, and for a body that is not the text that the server says it is */
export function typeOf(contentType: string | undefined, body: Uint8Array): 'html' | 'text' | undefined {
  const start = body.subarray(0, sniffBytes);
  const isUtf16 = (start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff);
  if (start.includes(0) && !isUtf16) return undefined;
  if (Buffer.from(start.subarray(0, 5)).toString('latin1') === '%PDF-') return undefined;
  const [name = ''] = (contentType ?? '').split(';', 1);
  const type = name.trim().toLowerCase();
  if (type === '') return isHtml(Buffer.from(body).toString('latin1').replaceAll('\0', '')) ? 'html' : 'text';
  return types[type];
}

async function contentOf(
  { headers, body }: Fetched,
  url: string,
  rules: UrlRules,
  readHtml: ReadHtml,
): Promise<Outcome> {
  const type = typeOf(headers.contentType, body);
  if (type === undefined)
    return failure(
      'unsupported_type',
      'The page is not HTML, text or Markdown. Send a PDF or DOCX as a file, with uploadId.',
    );
  const decoded = decode(body, { isMarkup: type === 'html', contentType: headers.contentType });
  const plain = { title: '', text: decoded.text.trim(), links: [], isCut: false, base: undefined };
  const page = type === 'html' ? await readHtml(decoded.text) : plain;
  if (!page) return failure('document_too_complex', 'Reading the page takes too much time or memory.');
  const text = page.text.toWellFormed();
  const links = linksOf(page, url, rules);
  if (text === '') return { ...failure('no_text', 'The page contains no text.'), links };
  if (Buffer.byteLength(text) > maxTextBytes)
    return { ...failure('document_too_large', 'The text of the page has more than 5 MB.'), links };
  const title = titleOf(page.title, text, url);
  return {
    kind: 'content',
    title,
    text,
    contentHash: hash('sha256', JSON.stringify([title, text]), 'hex'),
    links,
    notes: notesOf(decoded),
    ...(headers.etag !== undefined && headers.etag.length <= maxHeaderLength && { etag: headers.etag }),
    ...(headers.lastModified !== undefined &&
      headers.lastModified.length <= maxHeaderLength && { lastModified: headers.lastModified }),
  };
}

const maxHeaderLength = 500;
const maxTitleLength = 200;

/** @returns the title of a page, its first heading, or its address: visible, and without control characters */
function titleOf(title: string, text: string, url: string): string {
  const [, first] = sectionsOf(text);
  const heading = first ? (withoutMarks(first).split('\n', 1)[0] ?? '') : '';
  const clean = (one: string) => cutTo(one.toWellFormed().replace(/\p{Cc}/gu, ' '), maxTitleLength).trim();
  const isVisible = (one: string) => /[^\s\p{Cf}\p{Z}]/u.test(one);
  return [title, heading, url].map(clean).find(isVisible) ?? 'Untitled';
}

function linksOf({ links, isCut, base }: ReadPage, url: string, rules: UrlRules): PageLinks {
  const from = base !== undefined && URL.canParse(base, url) ? new URL(base, url).href : url;
  const urls = new Set<string>();
  for (const link of links) {
    const canonical = canonicalUrl(link, rules, from);
    if (canonical !== undefined) urls.add(canonical);
  }
  return { urls: [...urls], isCut };
}
