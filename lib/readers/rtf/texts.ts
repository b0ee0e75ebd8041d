/** Texts of RTF as they are shown. */

export const clean = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(/[\s\p{Cc}]+/gu, ' ').trim())
    .filter(Boolean)
    .join('\n');

/** A sign without a letter or digit is a bullet, whatever its font shows. */
export function markerOf(text: string): string {
  const marker = text.replace(/\s+/g, ' ').trim().slice(0, 40);
  return marker === '' || /[\p{L}\p{N}]/u.test(marker) ? marker : '•';
}

export const numberOf = (marker: string): string => (marker === '' || marker === '•' ? '' : `${marker} `);
