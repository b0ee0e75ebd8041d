/** The API reference and the console share this code. The files of each page are below its address. */

import * as z from 'zod';
import { fail } from './endpoint.ts';
import { readPageFile, revalidatedHeaders, textTag } from './raw-documents.ts';

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
};

const Asset = z.object({ name: z.string(), text: z.string() });

/**
 * The part of the declaration of an endpoint that returns a file of a page.
 * @param folder of the files
 */
export const assetOf = (folder: string) => ({
  auth: 'public' as const,
  request: {
    params: z.strictObject({ file: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}\.(?:js|css|txt)$/) }),
  },
  responses: { 200: Asset },
  headers: {
    'Content-Type': {
      description: 'The type of the file.',
      value: ({ name }: z.output<typeof Asset>) => types[name.split('.').at(-1) ?? ''],
    },
    'Cache-Control': {
      description: 'Other contents have another name.',
      value: () => 'public, max-age=31536000, immutable',
    },
    Vary: { description: 'The file may be compressed.', value: () => 'Accept-Encoding' },
  },
  raw: 'text' as const,
  errors: ['not_found'] as const,

  async handle({ params: { file } }: { params: { file: string } }) {
    const text = await readPageFile(folder, file);
    return text === undefined ? fail('not_found') : { status: 200 as const, data: { name: file, text } };
  },
});

export const WebPage = z.object({ text: z.string(), policy: z.string() });
type WebPage = z.output<typeof WebPage>;

export const pageTag = ({ text, policy }: WebPage): string => textTag(policy + text);

/** The headers of a page. `policy` is its Content-Security-Policy. */
export const pageHeaders = {
  ...revalidatedHeaders(pageTag),
  'Content-Type': { description: 'HTML.', value: () => 'text/html; charset=utf-8' },
  'Content-Security-Policy': {
    description: 'What the page may load.',
    value: ({ policy }: WebPage) => policy,
  },
  // Some browsers do not support frame-ancestors.
  'X-Frame-Options': { description: 'No other page may embed it.', value: () => 'DENY' },
  'Referrer-Policy': { description: 'No other page learns where a link was.', value: () => 'no-referrer' },
};

/**
 * @param sources by directive, such as `{ 'script-src': "'self'" }`; everything else is refused
 * @returns a Content-Security-Policy (https://www.w3.org/TR/CSP3/)
 */
export const contentSecurityPolicy = (sources: Readonly<Record<string, string>>): string =>
  Object.entries({
    'default-src': "'none'",
    ...sources,
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  })
    .map(([directive, allowed]) => `${directive} ${allowed}`)
    .join('; ');

/** @throws Error if the page is not beside the function */
export async function readPage(folder: string): Promise<string> {
  const text = await readPageFile(folder, 'page.html');
  if (text === undefined) throw new Error('page.html is missing');
  return text;
}
