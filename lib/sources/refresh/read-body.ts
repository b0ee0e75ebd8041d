/** Reads the body of a page or of a file. Of a type that is not read, only the beginning is read. */

import { type Head, type ReadBody, TooLarge } from '../../network/get.ts';
import { bodyTypeOf } from '../rules/body-type.ts';
import { fileTimes, maxFileBytes, maxPageBytes } from '../rules/limits.ts';
import { isLeftOut } from '../rules/read-response.ts';
import { fromStart } from './from-start.ts';

export const readBody: ReadBody<Uint8Array> = async (body, { status, headers }, extend) => {
  const chunks: Uint8Array[] = [];
  // The content of an error is not needed.
  if (status !== 200) return Buffer.of();
  let bytes = 0;
  let maxBytes: number | undefined;
  for await (const chunk of fromStart(body)) {
    if (maxBytes === undefined) {
      maxBytes = maxBytesOf(headers, chunk);
      if (maxBytes === maxFileBytes) extend(fileTimes);
    }
    if (maxBytes === 0) return chunk;
    bytes += chunk.length;
    if (bytes > maxBytes) throw new TooLarge(`the body has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

function maxBytesOf(headers: Head['headers'], start: Uint8Array): number {
  const { kind } = bodyTypeOf(headers.contentType, start);
  // A page that is left out has links.
  if (kind === 'file' && isLeftOut(headers)) return 0;
  return { page: maxPageBytes, file: maxFileBytes, refused: 0 }[kind];
}
