/** The text of a PDF in the order of its pages. A form feed ends each page. */

import { summed } from '../../readers/notes.ts';
import { pageEnd } from '../../readers/sections.ts';
import { writtenTitle } from '../../readers/title.ts';
import { type ExtractedText, maxTextBytes, NotExtractable } from '../../readers/types.ts';
import { addShown, annotationReader, readAnnotations } from './annotations.ts';
import type { Layers } from './drawing.ts';
import { hasHiddenLayer, withGlyphs } from './glyphs.ts';
import { joinWords } from './hyphens.ts';
import { openPdf, type PdfDocument } from './open-pdf.ts';
import { pageText } from './page-text.ts';
import { framesOf, type Item, uprightFrame } from './runs.ts';
import { mayHaveSoftHyphens } from './soft-hyphens.ts';

const maxPages = 10_000;
const maxPagesOfNote = 20;
const lettersAndDigits = /[\p{L}\p{N}]/gu;
/** Glyphs of a font that does not say which characters they are. */
const unknownGlyphs = /[^\P{Cc}\s]|[\p{Co}\p{Cn}\ufffd]/gu;

type Page = { text: string; hasText: boolean; comments: number; attachments: number };

/** @throws NotExtractable */
export async function readPdf(bytes: Uint8Array): Promise<Pick<ExtractedText, 'text' | 'notes' | 'title'>> {
  const { document, isTruncated } = await openPdf(bytes);
  if (document.numPages > maxPages) {
    throw new NotExtractable('document_too_large', `The PDF has more than ${maxPages} pages.`);
  }
  const counts = { comments: 0, attachments: await attachmentsOf(document) };
  const annotations = annotationReader(document);
  const layers = await layersToDraw(document, bytes);
  const withoutText: number[] = [];
  let text = '';
  let brokenPages = 0;
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await readPage(document, number, annotations, layers);
    if (page === undefined) brokenPages += 1;
    counts.comments += page?.comments ?? 0;
    counts.attachments += page?.attachments ?? 0;
    if (!page?.hasText) withoutText.push(number);
    text += `${page?.text ?? ''}\n${pageEnd}\n`;
    if (text.length > maxTextBytes) {
      throw new NotExtractable('document_too_large', 'The text of the file is larger than 5 MB.');
    }
  }
  // A PDF without pages is not broken.
  if (brokenPages > 0 && brokenPages === document.numPages) {
    throw new NotExtractable('unreadable_file', 'The PDF is broken.');
  }
  if (isTruncated && withoutText.length === document.numPages) {
    throw new NotExtractable('unreadable_file', 'The PDF is broken: its end is missing.');
  }
  const notes = summed([
    { code: 'truncated_file', count: isTruncated ? 1 : 0 },
    { code: 'pages_without_text', count: withoutText.length, pages: withoutText.slice(0, maxPagesOfNote) },
    { code: 'comments_left_out', count: counts.comments },
    { code: 'attachments_left_out', count: counts.attachments },
  ]);
  return { text: joinWords(text), notes, title: await titleOf(document) };
}

async function titleOf(document: PdfDocument): Promise<string | undefined> {
  const { info } = await document.getMetadata().catch(() => ({ info: {} }));
  return 'Title' in info ? writtenTitle(info.Title) : undefined;
}

/** @returns undefined if the text of the library has all that is shown */
async function layersToDraw(document: PdfDocument, bytes: Uint8Array): Promise<Layers | undefined> {
  const layers = await document.getOptionalContentConfig();
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return hasHiddenLayer(layers) || mayHaveSoftHyphens(file) ? layers : undefined;
}

/** Files that belong to the document. Their names are read, and not the files. */
async function attachmentsOf(document: PdfDocument): Promise<number> {
  try {
    const attachments: unknown = await document.getAttachments();
    if (attachments instanceof Map) return attachments.size;
    return typeof attachments === 'object' && attachments !== null ? Object.keys(attachments).length : 0;
  } catch {
    return 0;
  }
}

/** @returns undefined if the page cannot be read, which does not affect the others */
async function readPage(
  document: PdfDocument,
  number: number,
  annotations: ReturnType<typeof annotationReader>,
  layers: Layers | undefined,
): Promise<Page | undefined> {
  try {
    const page = await document.getPage(number);
    const { items, styles } = await page.getTextContent();
    const onPage = readAnnotations(await annotations(number), page.view);
    const texts: Item[] = [];
    for (const item of items)
      if ('str' in item) texts.push({ ...item, isVertical: styles[item.fontName]?.vertical === true });
    const frames = framesOf(layers ? await withGlyphs(texts, page, layers) : texts);
    page.cleanup();
    if (onPage.shown.length > 0) {
      if (frames.length === 0) frames.push(uprightFrame(page.rotate));
      if (frames[0]) addShown(frames[0], onPage.shown);
    }
    const text = pageText(frames);
    const unknown = timesIn(texts.map(({ str }) => str).join(''), unknownGlyphs);
    return { ...onPage, text, hasText: timesIn(text, lettersAndDigits) > unknown };
  } catch {
    return undefined;
  }
}

const timesIn = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
