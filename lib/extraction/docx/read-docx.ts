/**
 * Reads a DOCX (ECMA-376, transitional and strict) as a person sees it, also a template or a document with macros. Macros never run, and
 * nothing outside of the file is read.
 */

import { posix } from 'node:path';
import type { Block, ExtractionNote } from '../../readers/blocks.ts';
import { summed } from '../../readers/notes.ts';
import { writtenTitle } from '../../readers/title.ts';
import { NotExtractable } from '../../readers/types.ts';
import { blocksOf } from './content.ts';
import type { NoteTexts } from './notes.ts';
import { readNumbering } from './numbering.ts';
import { openPackage, partName, type Relationship, type UnpackedBudget } from './package.ts';
import { headersAndFooters, readSettings } from './page-parts.ts';
import { readStory, type Story, type StoryContext } from './story.ts';
import { readStyles } from './styles.ts';
import { readXml } from './xml.ts';

export type DocxOptions = {
  /**
   * Reads another file in the document, at whose place its blocks stand.
   * @param contentType as the document states it; it may be empty
   * @returns undefined if the file cannot be read
   */
  readAltChunk(bytes: Uint8Array, contentType: string): Promise<readonly Block[] | undefined>;
  /** How much may still be unpacked. */
  budget?: UnpackedBudget;
};

/** The XML of a document is up to 20 times as large as its text. */
export const maxUnpackedBytes = 100 * 1024 * 1024;

/** @throws NotExtractable */
export async function readDocx(
  bytes: Uint8Array,
  { readAltChunk, budget = { bytes: maxUnpackedBytes } }: DocxOptions,
): Promise<{ blocks: Block[]; notes: ExtractionNote[]; title: string | undefined }> {
  const docx = openPackage(bytes, budget);
  const ofPackage = docx.relationshipsOf('/');
  const targetOf = (wanted: string) => ofPackage.find(({ kind }) => kind === wanted)?.target;
  const mainName = targetOf('officeDocument') ?? partName('word/document.xml');
  const relationships = docx.relationshipsOf(mainName);
  const parts = docx.read([mainName, ...relationships.filter(isRead).map(({ target }) => target)]);
  const partOf = (kind: string) =>
    parts.get(relationships.find((relationship) => relationship.kind === kind)?.target ?? '');
  const body = parts.get(mainName);
  if (!body) throw new NotExtractable('unreadable_file', 'The DOCX is broken: it has no document.');

  const chunks = new Map<string, readonly Block[]>();
  const types = docx.contentTypes();
  for (const { id, kind, target } of relationships) {
    const chunk = kind === 'aFChunk' && parts.get(target);
    const blocks =
      chunk && (await readAltChunk(chunk, types.get(target) ?? types.get(posix.extname(target)) ?? ''));
    if (blocks) chunks.set(id, blocks);
  }

  const settings = readSettings(partOf('settings'));
  const styles = readStyles(partOf('styles'));
  const numbering = readNumbering(partOf('numbering'), (id) => styles.paragraph(id).numId);
  const withoutNotes = (format: string) => ({ texts: new Map<string, string>(), format });
  const context: StoryContext = {
    styles,
    numbering,
    chunks,
    notes: { footnote: withoutNotes(settings.footnoteFormat), endnote: withoutNotes(settings.endnoteFormat) },
  };
  const stories: Story[] = [];
  const read = (xml: Uint8Array, others: Partial<StoryContext> = {}): Story => {
    const story = readStory(xml, { ...context, ...others });
    stories.push(story);
    return story;
  };
  const notesOf = (xml: Uint8Array | undefined): NoteTexts => (xml ? read(xml).noteTexts : new Map());
  const { content, sections } = read(body, {
    notes: {
      footnote: { texts: notesOf(partOf('footnotes')), format: settings.footnoteFormat },
      endnote: { texts: notesOf(partOf('endnotes')), format: settings.endnoteFormat },
    },
  });
  // The first relationship of an id counts.
  const targets = new Map(relationships.toReversed().map(({ id, target }) => [id, target]));
  const pages = headersAndFooters(sections, settings, (id) => {
    const xml = parts.get(targets.get(id) ?? '');
    return xml && blocksOf(read(xml).content);
  });
  return {
    blocks: blocksOf([pages.headers, content, pages.footers]),
    notes: summed([
      { code: 'comments_left_out', count: commentsIn(partOf('comments')) },
      ...stories.flatMap(({ notes }) => notes),
    ]),
    title: titleIn(docx, targetOf('core-properties') ?? partName('docProps/core.xml')),
  };
}

const kinds = new Set(
  'aFChunk comments endnotes footer footnotes header numbering settings styles'.split(' '),
);
const isRead = ({ kind }: Relationship): boolean => kinds.has(kind);

/** A document whose properties are broken has no title ("Core Properties", ECMA-376 part 2). */
function titleIn(docx: ReturnType<typeof openPackage>, part: string): string | undefined {
  let [title, element] = ['', ''];
  const open = (name: string) => {
    element = name;
  };
  const text = (more: string) => {
    if (element === 'dc:title') title += more;
  };
  try {
    readXml(docx.read([part]).get(part), { open, close: () => open(''), text });
    return writtenTitle(title);
  } catch {
    return undefined;
  }
}

function commentsIn(xml: Uint8Array | undefined): number {
  let comments = 0;
  readXml(xml, {
    open(name) {
      if (name === 'w:comment') comments += 1;
    },
  });
  return comments;
}
