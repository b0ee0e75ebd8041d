/** The text of paragraphs: runs, fields, equations, readings, marks of notes, symbols and drawings. */

import type { ExtractionNote } from '../../readers/blocks.ts';
import { type Script, scripted } from '../../readers/scripts.ts';
import { isDrawing, openDrawings } from './drawings.ts';
import { openFields } from './fields.ts';
import { type Equation, equation } from './math.ts';
import type { NoteKind, Notes } from './notes.ts';
import { isHidden, newParagraph, newRun, type Paragraph } from './paragraph.ts';
import type { Places } from './places.ts';
import type { Styles } from './styles.ts';
import { symbolOf, unknownSymbol, withSymbols } from './symbols.ts';
import { type AttributeReader, isOn, wholeNumber } from './xml.ts';

export function openInline(styles: Styles, places: Places, notes: Notes, ignoresCodes: boolean) {
  const paragraphs: Paragraph[] = [];
  const fields = openFields(ignoresCodes);
  const drawings = openDrawings();
  const readings: { before: string; text: string }[] = [];
  let math: Equation | undefined;
  /** A note whose mark is the text behind it. */
  let unmarked: { kind: NoteKind; id: string } | undefined;
  let unknownSymbols = 0;

  const isShown = (): boolean => {
    const paragraph = paragraphs.at(-1);
    return paragraph !== undefined && !fields.inCode() && !isHidden(paragraph, styles);
  };
  const add = (text: string): void => {
    const paragraph = paragraphs.at(-1);
    if (!paragraph || text === '' || !isShown()) return;
    paragraph.text += text;
    if (text.includes(unknownSymbol)) unknownSymbols += 1;
  };
  const refer = (kind: NoteKind, attribute: AttributeReader): void => {
    if (!isShown()) return;
    const id = attribute('w:id') ?? '';
    if (isOn(attribute('w:customMarkFollows') ?? 'false')) unmarked = { kind, id };
    else add(notes.refer(kind, id));
  };

  const openInParagraph = (name: string, paragraph: Paragraph, attribute: AttributeReader): void => {
    if (name === 'w:r') paragraph.run = newRun();
    if (name === 'w:rt') {
      readings.push({ before: paragraph.text, text: '' });
      paragraph.text = '';
    }
    // WordArt.
    if (name === 'v:textpath' && isShown()) {
      paragraph.beside.push({ type: 'paragraph', text: attribute('string') ?? '' });
    }
  };
  const openInRun = (name: string, attribute: AttributeReader): void => {
    if (name === 'w:tab' || name === 'w:ptab') add('\t');
    if (name === 'w:br' || name === 'w:cr') add('\n');
    if (name === 'w:noBreakHyphen') add('-');
    if (name === 'w:fldChar') add(fields.take(attribute('w:fldCharType')));
    if (name === 'w:footnoteReference') refer('footnote', attribute);
    if (name === 'w:endnoteReference') refer('endnote', attribute);
    if (name === 'w:sym') {
      add(symbolOf(Number.parseInt(attribute('w:char') ?? '', 16), attribute('w:font') ?? ''));
    }
  };
  const closeInParagraph = (name: string, paragraph: Paragraph): void => {
    const reading = readings.at(-1);
    if (name === 'w:rt' && reading) {
      reading.text = paragraph.text;
      paragraph.text = reading.before;
    }
    if (name === 'w:ruby') {
      const text = readings.pop()?.text ?? '';
      if (text !== '') paragraph.text += `(${text})`;
    }
    const alternative = drawings.close(name);
    if (alternative !== '') paragraph.beside.push({ type: 'caption', text: alternative });
  };

  return {
    /** Whether the part has ended within the code of a field. */
    isInCode: (): boolean => fields.inCode(),
    isHidden: (name: string): boolean => isDrawing(name) && !isShown(),
    paragraph: (): Paragraph | undefined => paragraphs.at(-1),
    extractionNotes: (): ExtractionNote[] => [
      { code: 'characters_replaced', count: unknownSymbols },
      { code: 'pictures_without_text', count: drawings.withoutText() },
    ],
    open(name: string, parent: string, grandparent: string, attribute: AttributeReader): void {
      if (name === 'm:oMath' || name === 'm:oMathPara') math ??= equation();
      if (math) {
        math.open(name, attribute);
        return;
      }
      if (name === 'w:p') paragraphs.push(newParagraph(places.takeContinued()));
      const paragraph = paragraphs.at(-1);
      if (!paragraph) return;
      openInParagraph(name, paragraph, attribute);
      drawings.open(name, attribute);
      if (parent === 'w:r') openInRun(name, attribute);
      else if (parent === 'w:rPr' && grandparent === 'w:r')
        openRunProperty(paragraph, name, styles, attribute);
      else if (parent === 'w:rPr' && grandparent === 'w:pPr') openMarkProperty(paragraph, name, attribute);
      else if (parent === 'w:pPr' || parent === 'w:numPr') openProperty(paragraph, name, attribute);
      else fields.takeProperty(name, parent, attribute);
    },
    close(name: string): void {
      if (math) {
        const text = math.close(name);
        if (text === undefined) return;
        math = undefined;
        add(text);
        return;
      }
      const paragraph = paragraphs.at(-1);
      if (!paragraph) return;
      if (name === 'w:p') {
        paragraphs.pop();
        places.put(paragraph);
      } else closeInParagraph(name, paragraph);
    },
    text(text: string): void {
      if (math) {
        math.text(text);
        return;
      }
      const { font = '', script } = paragraphs.at(-1)?.run ?? {};
      add(scripted(withSymbols(text.replaceAll('\n', ' '), font), script));
      if (unmarked && text.trim() !== '') {
        notes.refer(unmarked.kind, unmarked.id, text.trim());
        unmarked = undefined;
      }
    },
  };
}

function openProperty(paragraph: Paragraph, name: string, attribute: AttributeReader): void {
  const value = attribute('w:val');
  if (name === 'w:pStyle') paragraph.styleId = value;
  if (name === 'w:outlineLvl') paragraph.outlineLevel = wholeNumber(value);
  if (name === 'w:numId') paragraph.numId = value;
  if (name === 'w:ilvl') paragraph.level = wholeNumber(value);
  // A large first letter is a paragraph of its own.
  if (name === 'w:framePr') paragraph.isContinued = ['drop', 'margin'].includes(attribute('w:dropCap') ?? '');
}

function openMarkProperty(paragraph: Paragraph, name: string, attribute: AttributeReader): void {
  if (name === 'w:vanish') paragraph.isMarkHidden = isOn(attribute('w:val'));
  if (name === 'w:del' || name === 'w:moveFrom') paragraph.isContinued = true;
}

function openRunProperty({ run }: Paragraph, name: string, styles: Styles, attribute: AttributeReader): void {
  const value = attribute('w:val');
  if (name === 'w:vanish') run.isHidden = isOn(value);
  if (name === 'w:rStyle') run.styleHides = styles.hides(value ?? '');
  if (name === 'w:vertAlign') run.script = scripts[value ?? ''];
  if (name === 'w:rFonts') run.font = attribute('w:ascii') ?? attribute('w:hAnsi') ?? '';
}

const scripts: Readonly<Record<string, Script>> = { superscript: 'raised', subscript: 'lowered' };
