/**
 * The API description, its reference and the console are documents without an envelope. They are public, and the same for every
 * caller, so callers may cache them. The gateway compresses them.
 */

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { llmsFolder } from './page-folders.ts';
import type { Headers } from './types.ts';

/** The gateway compresses a response of at least this size. A smaller response fits into one packet anyway. */
export const minimumCompressionBytes = 1024;

/** @returns the strong entity tag of a text, for `isKnown` */
export const textTag = (text: string): string =>
  `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;

/**
 * The headers of a document whose address stays the same while its contents change. The entity tag is weak, because the
 * compressed and the uncompressed response have the same tag (RFC 9110 section 8.8.3).
 *
 * @param tag the strong entity tag
 */
export const revalidatedHeaders = <Data>(tag: (data: Data) => string): Headers<Data> => ({
  ETag: {
    description: 'Names the contents, for `If-None-Match`.',
    value: (data) => `W/${tag(data)}`,
  },
  'Cache-Control': {
    description: 'Caches may store the document. They ask with `If-None-Match` each time.',
    value: () => 'public, no-cache',
  },
  Vary: {
    description: 'The document may be compressed.',
    value: () => 'Accept-Encoding',
  },
});

/** @returns a file of a web page, or undefined if there is no such file */
export async function readPageFile(folder: string, name: string): Promise<string | undefined> {
  try {
    return await readFile(resolve(folder, name), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

export const readLlmsText = (): Promise<string> => readFile(resolve(llmsFolder, 'llms.txt'), 'utf8');
