/** The encodings of the fonts of RTF, by their names in the Encoding Standard. */

import { encodingOfCodePage } from '../encoding/code-pages.ts';

/** The values of `\fcharset` ("Rich Text Format Specification" 1.9.1, "Font Table"). */
const codePageOfCharset: Readonly<Record<number, number>> = {
  77: 10000,
  128: 932,
  129: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
};

/** @returns undefined for a charset without a code page of its own, such as ANSI */
export const encodingOfCharset = (charset: number): string | undefined => {
  const codePage = codePageOfCharset[charset];
  return codePage === undefined ? undefined : encodingOf(codePage);
};

export const encodingOf = (codePage: number): string => encodingOfCodePage(codePage) ?? 'windows-1252';

const doubleByte = new Set(['shift_jis', 'gbk', 'euc-kr', 'big5']);

/** Whether the last byte is the first one of a character. The second one may be written as a letter. */
export function isIncomplete(bytes: readonly number[], encoding: string): boolean {
  if (!doubleByte.has(encoding)) return false;
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0;
    const isSingle =
      byte < 0x81 || byte === 0xff || (encoding === 'shift_jis' && byte >= 0xa0 && byte <= 0xdf);
    at += isSingle ? 1 : 2;
  }
  return at > bytes.length;
}
