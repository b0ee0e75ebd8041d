/** The changes of `npm run new`, computed as a whole before anything is written. */

export type Change = {
  /** The text of new files, by path. */
  created: Readonly<Record<string, string>>;
  /** The new text of files that exist. */
  changed: Readonly<Record<string, string>>;
  /** The decisions that are left, in their order. */
  next: readonly string[];
};

/** Reads a file of the repository. */
export type Read = (file: string) => string;

/** @returns the text with a line before the only place where the anchor is */
export function insertBefore(text: string, anchor: string, line: string): string {
  const [before, after, ...more] = text.split(anchor);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`not exactly one place with ${JSON.stringify(anchor)}`);
  return `${before}${line}${anchor}${after}`;
}

/** @returns the files with a line before the anchor of each */
export const insertLines = (
  read: Read,
  lines: Readonly<Record<string, readonly [anchor: string, line: string]>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(lines).map(([file, [anchor, line]]) => [file, insertBefore(read(file), anchor, line)]),
  );

export const samplesFile = 'samples/samples.ts';
/** The text behind the last sample. */
export const samplesEnd = '};\n\nexport async function sampleOf';

/** @returns the text behind the last sample of the resource: the next sample, or the end of the samples */
export function behindSamplesOf(resource: string, samples: string): string {
  const start = samples.indexOf('export const samples');
  const ids = [...samples.slice(start).matchAll(/^ {2}'?([a-z][\w.-]*)'?: /gm)];
  const last = ids.findLastIndex(([, id = '']) => id.startsWith(`${resource}.`));
  const next = last >= 0 ? ids[last + 1] : undefined;
  return next?.[0] ?? samplesEnd;
}
