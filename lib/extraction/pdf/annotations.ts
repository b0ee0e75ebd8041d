/** The annotations of a page: values of fields and free texts, which are read, and comments and attached files, which are counted. */

import { firstIndex } from '../../readers/bisect.ts';
import type { PdfDocument } from './open-pdf.ts';
import type { Frame, Run } from './runs.ts';

/** An annotation, as the library returns it ("PDF Reference" 1.7, section 8.4). */
export type Annotation = {
  subtype?: string;
  annotationFlags?: number;
  rect?: readonly number[];
  contentsObj?: { str?: string };
  textContent?: readonly string[];
  hidden?: boolean;
  password?: boolean;
  fieldType?: string | null;
  fieldValue?: string | readonly string[] | null;
  alternativeText?: string;
  options?: readonly { exportValue: string; displayValue: string }[];
  checkBox?: boolean;
  radioButton?: boolean;
  pushButton?: boolean;
  exportValue?: string;
  buttonValue?: string | null;
};

/** Flags: invisible, hidden, not for the screen. */
const notShown = 1 | 2 | 32;

export type OnPage = { shown: Shown[]; comments: number; attachments: number };

/** All types except links and the windows of comments. For links, the library would read the text of the page once more. */
const types = new Set([1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17, 20]);
const pagesAtOnce = 50;

/** @returns a function that gives the annotations of each page. The pages come in their order */
export function annotationReader(document: PdfDocument): (number: number) => Promise<readonly Annotation[]> {
  let from = 0;
  let byPage = new Map<number, Annotation[]>();
  return async (number) => {
    if (number >= from + pagesAtOnce || from === 0) {
      from = number;
      byPage = await annotationsOf(document, from, from + pagesAtOnce);
    }
    return byPage.get(number) ?? [];
  };
}

const isOnPage = (value: object): value is Annotation & { pageIndex: number } =>
  'pageIndex' in value && typeof value.pageIndex === 'number';

async function annotationsOf(document: PdfDocument, from: number, to: number) {
  const pages = Array.from({ length: document.numPages }, (_, at) => at);
  const others = new Set(pages.filter((at) => at + 1 < from || at + 1 >= to));
  const byPage = new Map<number, Annotation[]>();
  const read = async (skipped: ReadonlySet<number>) => {
    for (const annotation of (await document.getAnnotationsByType(types, new Set(skipped))) ?? []) {
      if (!isOnPage(annotation)) continue;
      const onPage = byPage.get(annotation.pageIndex + 1);
      if (onPage) onPage.push(annotation);
      else byPage.set(annotation.pageIndex + 1, [annotation]);
    }
  };
  await read(others).catch(async () => {
    // A broken page does not affect the others.
    for (let number = from; number < to; number += 1)
      await read(new Set(pages.filter((at) => at + 1 !== number))).catch(() => {});
  });
  return byPage;
}

/** A text of an annotation in a rectangle of the page. */
type Shown = { lines: string[]; rect: readonly number[]; field?: 'value' | 'mark'; label: string };

/** @param view the visible part of the page */
export function readAnnotations(annotations: readonly Annotation[], view: readonly number[]): OnPage {
  const onPage: OnPage = { shown: [], comments: 0, attachments: 0 };
  for (const annotation of annotations) {
    const { subtype, annotationFlags = 0, rect = [], hidden, contentsObj } = annotation;
    if (annotationFlags & notShown || hidden) continue;
    if (subtype === 'Widget' || subtype === 'FreeText') {
      const shown = isVisible(rect, view) ? shownBy(annotation) : undefined;
      if (shown) onPage.shown.push({ ...shown, rect });
    } else if (subtype === 'FileAttachment') onPage.attachments += 1;
    else if (contentsObj?.str?.trim()) onPage.comments += 1;
  }
  return onPage;
}

function isVisible([left = 0, bottom = 0, right = 0, top = 0]: readonly number[], view: readonly number[]) {
  const [viewLeft = 0, viewBottom = 0, viewRight = 0, viewTop = 0] = view;
  return left < viewRight && right > viewLeft && bottom < viewTop && top > viewBottom;
}

function shownBy(annotation: Annotation): Omit<Shown, 'rect'> | undefined {
  const { subtype, contentsObj, textContent, fieldType, fieldValue, password, options } = annotation;
  const label = annotation.alternativeText?.trim() ?? '';
  if (subtype === 'FreeText') return ofText(textContent?.join('\n') || contentsObj?.str, { label });
  if (password) return undefined;
  if (annotation.checkBox || annotation.radioButton) {
    const own = annotation.checkBox ? annotation.exportValue : annotation.buttonValue;
    return {
      lines: [fieldValue === own && own !== 'Off' ? '☒' : '☐'],
      field: 'mark',
      label: label || (own ?? ''),
    };
  }
  if (fieldValue === null || fieldValue === undefined) return undefined;
  const values = typeof fieldValue === 'string' ? [fieldValue] : fieldValue;
  if (fieldType === 'Tx') return ofText(values.join('\n'), { label, field: 'value' });
  if (fieldType !== 'Ch') return undefined;
  const shown = new Map(options?.map(({ exportValue, displayValue }) => [exportValue, displayValue]));
  return ofText(values.map((value) => shown.get(value) ?? value).join(', '), { label, field: 'value' });
}

function ofText(text = '', more: Omit<Shown, 'rect' | 'lines'>): Omit<Shown, 'rect'> | undefined {
  const lines = text.split(/\r\n?|\n/).map((line) => line.trim());
  while (lines.at(-1) === '') lines.pop();
  return lines.some(Boolean) ? { lines, ...more } : undefined;
}

const usualSize = 10;
/** The height of most letters, and how much of it is within a field beside them, in sizes of a font. */
const letters = 0.7;
const leastCommon = 0.3;
/** A field belongs to the lines that are so close to its middle. */
const maxLines = 8;

/** Adds the texts of annotations to the runs of the page, each on the line of text beside it. */
export function addShown(frame: Frame, shown: readonly Shown[]): void {
  const sorted = frame.runs.toSorted((a, b) => a.line - b.line);
  for (const text of shown) for (const run of runsOf(text, frame, sorted)) frame.runs.push(run);
}

function runsOf({ lines, rect, field, label }: Shown, { place }: Frame, sorted: readonly Run[]): Run[] {
  const [left = 0, bottom = 0, right = 0, top = 0] = rect;
  const [one, other] = [place(left, bottom), place(right, top)];
  const start = Math.min(one.along, other.along);
  const end = Math.max(one.along, other.along);
  const [above, below] = [Math.min(one.line, other.line), Math.max(one.line, other.line)];
  const beside = lineBeside(sorted, above, below, start, end);
  const height = below - above;
  const size = beside?.size ?? Math.min(usualSize, Math.max(height, 1));
  const middle = (above + below) / 2 + 0.35 * size;
  const first = lines.length > 1 ? above + size : (beside?.line ?? middle);
  const pitch = Math.max(Math.min(1.2 * size, height / lines.length), 0.8 * size);
  const texts = sorted.length > 0 || label === '' ? lines : withLabel(lines, label, field);
  const runs = texts.map((text, at) => {
    const width = field === 'mark' ? end - start : Math.min(end - start, 0.5 * size * text.length);
    const line = first + at * pitch;
    return { text, start, end: start + Math.max(width, 0.1), line, size, ...(field && { field }) };
  });
  return runs.filter(({ text }) => text !== '');
}

/** On a page without other text, the label that a screen reader says names a field. */
function withLabel(lines: readonly string[], label: string, field: Shown['field']): string[] {
  const [first = '', ...others] = lines;
  return [field === 'mark' ? `${first} ${label}` : `${label}: ${first}`, ...others];
}

/** @returns the run within the height of the rectangle that is closest to it */
function lineBeside(sorted: readonly Run[], above: number, below: number, start: number, end: number) {
  const middle = firstIndex(sorted, ({ line }) => line >= (above + below) / 2);
  let best: { run: Run; distance: number } | undefined;
  for (const run of sorted.slice(Math.max(0, middle - maxLines), middle + maxLines)) {
    // The line is below the letters.
    const common = Math.min(run.line, below) - Math.max(run.line - letters * run.size, above);
    if (common < leastCommon * run.size) continue;
    const distance = Math.max(start - run.end, run.start - end, 0);
    if (!best || distance < best.distance) best = { run, distance };
  }
  return best?.run;
}
