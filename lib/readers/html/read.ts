/**
 * Reads HTML as blocks, close to what a browser shows. Uploads, pages of sources and contents sent as HTML are read here. The work is
 * linear in the size of the source, with any nesting.
 */

import type { BlockSink, ExtractionNote } from '../blocks.ts';
import { summed } from '../notes.ts';
import { type Script, scripted } from '../scripts.ts';
import { type Cell, tableBlocks } from '../table-rows.ts';
import { dataTables } from './data-tables.ts';
import { headingLevel, isCell, isCode, isList, isOmitted, isShown, separatorOf } from './elements.ts';
import { bullet, type List, nextMarker, openList } from './list-markers.ts';
import { attributeOf, type Element, isElement, isText, type Node, parseBounded, walk } from './parse.ts';
import { replacementOf } from './replacements.ts';
import { codeWriter, lineWriter, type TextWriter, textWriter } from './text-writer.ts';
import { asHtml } from './xhtml.ts';

/**
 * @param source a whole page or a part of one
 * @param elementLimit the number of elements that the source may make
 * @returns a note if elements were left out that may contain text
 * @throws TooComplex
 */
export const readHtml = (source: string, sink: BlockSink, elementLimit?: number): ExtractionNote[] =>
  readNodes(parseBounded(asHtml(source), elementLimit).childNodes, sink);

/** An element whose content is read as a single text. */
type Whole = { element: Element; text: TextWriter; end(text: string): void };

/** The first text of an item stands behind its marker. Without a marker, a text of the item is a paragraph. */
type Item = { element: Element; marker: string | undefined; depth: number };

type Rows = { element: Element; captions: string[]; head: Cell[][]; body: Cell[][]; foot: Cell[][] };

/** @returns a note if elements were left out that may contain text */
export function readNodes(nodes: readonly Node[], sink: BlockSink): ExtractionNote[] {
  let leftOut = 0;
  const tables = dataTables(nodes);
  const flow = textWriter();
  const lists: List[] = [];
  const items: Item[] = [];
  let whole: Whole | undefined;
  let table: Rows | undefined;
  let row: Cell[] | undefined;
  let script: { element: Element; as: Script } | undefined;

  const flush = () => {
    const text = flow.take();
    const item = items.at(-1);
    if (text === '') return;
    if (item?.marker === undefined) sink({ type: 'paragraph', text });
    else {
      sink({ type: 'listItem', marker: item.marker, depth: item.depth, text });
      item.marker = '';
    }
  };
  /** @returns the number of the item that begins with a heading, a table or code */
  const leaveItem = (): string => {
    flush();
    const item = items.at(-1);
    const marker = item?.marker ?? '';
    if (item) item.marker = undefined;
    return marker === bullet ? '' : marker;
  };
  const endParagraph = () => {
    if (items.at(-1)?.marker === undefined) flush();
    else flow.separate('\n');
  };
  const separate = ({ tagName }: Element) => {
    const separator = separatorOf(tagName);
    if (whole) whole.text.separate(separator);
    else if (separator === '\n\n') endParagraph();
    else flow.separate(separator);
  };

  const enterInWhole = (element: Element, { text }: Whole) => {
    separate(element);
    if (element.tagName === 'br') text.write('\n');
    // A row of a table in a cell.
    if (element.tagName === 'tr') text.separate('; ');
    if (element.tagName === 'li') text.mark(`${nextMarker(lists.at(-1), element)} `);
  };
  const enterInTable = (element: Element, { head, body, foot, captions }: Rows) => {
    const { tagName, parentNode } = element;
    const rows = parentNode?.nodeName === 'thead' ? head : parentNode?.nodeName === 'tfoot' ? foot : body;
    if (tagName === 'tr') {
      rows.push([]);
      row = rows.at(-1);
    }
    const end = (text: string) => void row?.push({ text, ...spansOf(element) });
    if (isCell(tagName)) whole = { element, text: lineWriter(), end };
    if (tagName === 'caption')
      whole = { element, text: lineWriter(), end: (text) => void captions.push(text) };
  };
  const enterInFlow = (element: Element) => {
    const { tagName } = element;
    const level = headingLevel(tagName);
    if (tagName === 'br' && flow.pending() === '\n') endParagraph();
    else separate(element);
    if (level > 0) {
      const number = leaveItem();
      const end = (text: string) => sink({ type: 'heading', level, text: `${number} ${text}`.trim() });
      whole = { element, text: lineWriter(), end };
    } else if (isCode(tagName) || tables.has(element)) {
      const marker = leaveItem();
      if (marker !== '') sink({ type: 'listItem', marker, depth: lists.length - 1, text: '' });
      const end = (text: string) => sink({ type: 'code', text });
      if (isCode(tagName)) whole = { element, text: codeWriter(), end };
      else table = { element, captions: [], head: [], body: [], foot: [] };
    } else if (tagName === 'caption' || tagName === 'figcaption') {
      flush();
      whole = { element, text: lineWriter(), end: (text) => sink({ type: 'caption', text }) };
    } else if (isList(tagName)) flush();
    else if (tagName === 'li') {
      flush();
      const marker = nextMarker(lists.at(-1), element);
      items.push({ element, marker, depth: Math.max(0, lists.length - 1) });
    }
  };

  walk(
    nodes,
    (node) => {
      const text = whole?.text ?? flow;
      if (isText(node) && (whole || !table)) text.write(scripted(node.value, script?.as));
      if (!isElement(node) || !isShown(node)) return undefined;
      const { tagName } = node;
      if (isOmitted(tagName)) {
        separate(node);
        leftOut += 1;
        return undefined;
      }
      if (whole) enterInWhole(node, whole);
      else if (table) enterInTable(node, table);
      else enterInFlow(node);
      if (isList(tagName)) lists.push(openList(node));
      if (tagName === 'rt') text.write('(');
      if (tagName === 'sup' || tagName === 'sub')
        script ??= { element: node, as: tagName === 'sup' ? 'raised' : 'lowered' };
      const replacement = replacementOf(node);
      if (replacement !== '' && (whole || !table)) text.write(replacement);
      return node.childNodes;
    },
    (node) => {
      if (!isElement(node)) return;
      const { tagName } = node;
      if (tagName === 'rt') (whole?.text ?? flow).write(')');
      if (script?.element === node) script = undefined;
      if (lists.at(-1)?.element === node) lists.pop();
      if (whole?.element === node) {
        const { text, end } = whole;
        whole = undefined;
        end(text.take());
      } else if (table?.element === node) {
        writeTable(table, sink);
        table = undefined;
      } else if (whole || !table) {
        if (items.at(-1)?.element === node) {
          flush();
          items.pop();
        }
        if (tagName === 'li') whole?.text.mark('');
        separate(node);
      }
    },
  );
  flush();
  return summed([{ code: 'text_left_out', count: leftOut }]);
}

/** The limits of the standard. */
const maxColspan = 1000;
const maxRowspan = 65_534;

function spansOf(cell: Element): Pick<Cell, 'colspan' | 'rowspan'> {
  const span = (name: string) => Number.parseInt(attributeOf(cell, name) ?? '1', 10);
  const rowspan = span('rowspan');
  return {
    colspan: Math.min(Math.max(span('colspan') || 1, 1), maxColspan),
    // 0 is the rest of the table.
    rowspan: rowspan === 0 ? maxRowspan : Math.min(Math.max(rowspan || 1, 1), maxRowspan),
  };
}

function writeTable({ captions, head, body, foot }: Rows, sink: BlockSink): void {
  for (const text of captions) sink({ type: 'caption', text });
  for (const block of tableBlocks([...head, ...body, ...foot])) sink(block);
}
