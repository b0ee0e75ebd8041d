/** Reads a part that has paragraphs and tables: the body, a header, the notes (ECMA-376 part 1, 17.2). */

import type { Block, ExtractionNote } from '../../readers/blocks.ts';
import { type Content, textOf } from './content.ts';
import { openInline } from './inline.ts';
import { type NoteKind, type NoteSource, openNotes } from './notes.ts';
import type { Numbering } from './numbering.ts';
import { paragraphBlocks } from './paragraph.ts';
import { openPlaces } from './places.ts';
import type { Styles } from './styles.ts';
import { openTables } from './table.ts';
import { type AttributeReader, isOn, readXml } from './xml.ts';

export type StoryContext = {
  styles: Styles;
  numbering: () => Numbering;
  notes: Readonly<Record<NoteKind, NoteSource>>;
  /** The contents of other files by the ids of their relationships. */
  chunks: ReadonlyMap<string, readonly Block[]>;
};

export type Story = {
  content: Content;
  /** The texts of a part with notes, by their ids. */
  noteTexts: Map<string, string>;
  sections: Section[];
  notes: ExtractionNote[];
};

/** The headers and footers of pages: their types, and the ids of their relationships. */
export type Section = { pageParts: { name: string; type: string; id: string }[]; hasFirstPage: boolean };

/** Elements that are not shown, or that have the state before a change. */
const skipped = new Set(
  (
    'w:delText w:instrText w:delInstrText w:pPrChange w:rPrChange w:tblPrChange w:tblPrExChange w:trPrChange ' +
    'w:tcPrChange w:sectPrChange w:sdtPr w:rubyPr'
  ).split(' '),
);

/** @throws NotExtractable if the XML is broken */
export function readStory(xml: Uint8Array, context: StoryContext): Story {
  const { story, endsInCode } = read(xml, context, false);
  // The code of a field that does not end would hide the rest.
  return endsInCode ? read(xml, context, true).story : story;
}

function read(
  xml: Uint8Array,
  { styles, numbering, notes: noteSources, chunks }: StoryContext,
  ignoresCodes: boolean,
) {
  const notes = openNotes(noteSources);
  const places = openPlaces(paragraphBlocks(styles, numbering()), notes);
  const inline = openInline(styles, places, notes, ignoresCodes);
  const tables = openTables(places);
  const alternatives: { isChosen: boolean }[] = [];
  const noteIds: string[] = [];
  const noteTexts = new Map<string, string>();
  const newSection = (): Section => ({ pageParts: [], hasFirstPage: false });
  const sections: Section[] = [newSection()];
  let chunksLeftOut = 0;

  const isLeftOut = (name: string, parent: string, attribute: AttributeReader): boolean => {
    // A deleted row, and the deleted end of a paragraph, have a property with the name of the element around deleted runs.
    if (name === 'w:del' || name === 'w:moveFrom') return parent !== 'w:rPr' && parent !== 'w:trPr';
    if (name === 'w:footnote' || name === 'w:endnote') {
      // The lines between the text and the notes are notes, too.
      return (attribute('w:type') ?? 'normal') !== 'normal';
    }
    if (name !== 'mc:Choice' && name !== 'mc:Fallback') return skipped.has(name) || inline.isHidden(name);
    const alternative = alternatives.at(-1);
    if (!alternative || alternative.isChosen) return true;
    alternative.isChosen = true;
    return false;
  };
  const addChunk = (blocks: readonly Block[] | undefined): void => {
    if (blocks) places.add([...blocks]);
    else chunksLeftOut += 1;
  };
  const openSection = (name: string, attribute: AttributeReader): void => {
    const section = sections.at(-1);
    if (name === 'w:titlePg' && section) section.hasFirstPage = isOn(attribute('w:val'));
    if (name !== 'w:headerReference' && name !== 'w:footerReference') return;
    section?.pageParts.push({ name, type: attribute('w:type') ?? 'default', id: attribute('r:id') ?? '' });
  };

  const open: string[] = [];
  let leftOutDepth = 0;
  readXml(xml, {
    open(name, attribute) {
      const parent = open.at(-1) ?? '';
      if (leftOutDepth > 0 || isLeftOut(name, parent, attribute)) {
        leftOutDepth += 1;
        return;
      }
      if (parent === 'w:sectPr') openSection(name, attribute);
      if (name === 'mc:AlternateContent') alternatives.push({ isChosen: false });
      if (name === 'w:altChunk') addChunk(chunks.get(attribute('r:id') ?? ''));
      if (name === 'w:subDoc') chunksLeftOut += 1;
      if (name === 'w:footnote' || name === 'w:endnote') {
        noteIds.push(attribute('w:id') ?? '');
        places.enter();
      }
      if (name === 'w:txbxContent') places.enter();
      tables.open(name, parent, attribute);
      inline.open(name, parent, open.at(-2) ?? '', attribute);
      open.push(name);
    },
    close(name) {
      if (leftOutDepth > 0) {
        leftOutDepth -= 1;
        return;
      }
      open.pop();
      inline.close(name);
      tables.close(name);
      if (name === 'w:sectPr') sections.push(newSection());
      if (name === 'mc:AlternateContent') alternatives.pop();
      if (name === 'w:footnote' || name === 'w:endnote') {
        noteTexts.set(noteIds.pop() ?? '', textOf(places.leave()));
      }
      if (name === 'w:txbxContent') {
        const box = places.leave();
        const paragraph = inline.paragraph();
        if (paragraph) paragraph.beside.push(box);
        else places.add(box);
      }
    },
    text(text) {
      if (leftOutDepth === 0 && (open.at(-1) === 'w:t' || open.at(-1) === 'm:t')) inline.text(text);
    },
  });
  const content = [places.leave(), notes.take('footnote'), notes.take('endnote')];
  const chunkNote = { code: 'attachments_left_out', count: chunksLeftOut } as const;
  return {
    story: { content, noteTexts, sections, notes: [chunkNote, ...inline.extractionNotes()] },
    endsInCode: inline.isInCode(),
  };
}
