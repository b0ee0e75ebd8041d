/** The encodings of the code pages of Windows, by their names in the Encoding Standard. */

const encodings: Readonly<Record<number, string>> = {
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  10007: 'x-mac-cyrillic',
  20866: 'koi8-r',
  21866: 'koi8-u',
  50220: 'iso-2022-jp',
  51932: 'euc-jp',
  54936: 'gb18030',
  65001: 'utf-8',
};

/** @returns undefined for a code page that the standard does not have */
export const encodingOfCodePage = (codePage: number): string | undefined =>
  encodings[codePage] ?? (codePage >= 1250 && codePage <= 1258 ? `windows-${codePage}` : undefined);
