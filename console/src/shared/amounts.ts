/** Amounts, as people read them: numbers, counts and sizes. */

/** @returns `2,000` */
export const numberText = (amount: number): string => amount.toLocaleString('en');

/** @returns `1 score`, `2,000 scores` */
export const countText = (count: number, noun: string): string =>
  `${numberText(count)} ${noun}${count === 1 ? '' : 's'}`;

const units = ['KB', 'MB', 'GB', 'TB'] as const;

/** @returns `21 KB`, `1.5 MB`; a small size is rounded up, so it is not zero */
export function sizeOf(bytes: number): string {
  if (bytes === 0) return '0 KB';
  let size = bytes / 1024;
  let at = 0;
  while (size >= 1024 && at < units.length - 1) {
    size /= 1024;
    at += 1;
  }
  return `${at === 0 ? Math.ceil(size) : size.toFixed(1)} ${units[at]}`;
}
