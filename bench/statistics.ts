/** Statistics that tolerate a noisy machine. */

/** @returns the percentile by nearest rank */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** @returns the median with its unit, and the quartiles: `4.7 ms (4.5–5.1)` */
export function spread(values: readonly number[], unit = '', digits = unit === '' ? 2 : 1): string {
  const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => percentile(values, share).toFixed(digits));
  return `${middle}${unit && ` ${unit}`} (${low}–${high})`;
}

/** @returns the ratio of each pair */
export const ratios = (ours: readonly number[], theirs: readonly number[]): number[] =>
  ours.map((value, index) => value / (theirs[index] ?? Number.NaN));

export const count = (value: number): string => Math.round(value).toLocaleString('en');
export const megabytes = (bytes: number): string =>
  `${bytes < 1e7 ? (bytes / 1e6).toFixed(1) : count(bytes / 1e6)} MB`;

/** Shows progress on the terminal, or as lines if there is none. */
export function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
  else if (text !== '') console.error(text);
}
