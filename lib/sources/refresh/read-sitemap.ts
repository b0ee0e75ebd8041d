/** Reads the body of a sitemap as it comes, and only as far as its addresses are wanted. */

import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { ReadBody } from '../../network/get.ts';
import { markupDecoder } from '../../readers/encoding/decode.ts';
import { readSitemap } from '../rules/sitemap.ts';
import { fromStart } from './from-start.ts';

/** The protocol allows no more, unpacked (https://www.sitemaps.org/protocol.html). */
const maxSitemapBytes = 50 * 1024 * 1024;
/**
 * @param wants gets each address as it is written, and returns whether further ones are wanted
 * @returns a reader. Its result is `false` if the body is no sitemap, and `cut` if there is more than was read
 */
export const sitemapBody =
  (wants: (url: string, isIndex: boolean) => boolean): ReadBody<'whole' | 'cut' | false> =>
  async (body) => {
    const reader = readSitemap(wants);
    let bytes = 0;
    let decode: ((chunk: Uint8Array) => string) | undefined;
    try {
      for await (const chunk of fromStart(unpacked(fromStart(body)))) {
        bytes += chunk.length;
        decode ??= markupDecoder(chunk);
        const isWanted = reader.write(decode(chunk)) && bytes < maxSitemapBytes;
        if (!isWanted) return reader.end() && 'cut';
      }
    } catch (fault) {
      if (isBrokenArchive(fault)) return false;
      throw fault;
    }
    return reader.end() && 'whole';
  };

/** @returns the chunks of a file of gzip (RFC 1952), or of any other file as it is */
async function* unpacked(chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const start of chunks) {
    async function* all() {
      yield start;
      yield* chunks;
    }
    const isPacked = start[0] === 0x1f && start[1] === 0x8b;
    // An error of the body ends the unpacked stream, too.
    yield* isPacked ? pipeline(Readable.from(all()), createGunzip(), () => {}) : all();
    return;
  }
}

const isBrokenArchive = (fault: unknown): boolean =>
  fault instanceof Error && 'code' in fault && `${fault.code}`.startsWith('Z_');
