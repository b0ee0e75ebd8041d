/**
 * Reads RTF as blocks: its text, tables, lists, headings and notes. Pictures, objects, headers, fields' instructions and other
 * destinations are skipped, and nothing is executed. The work is linear in the source, with any nesting.
 */

import { TextDecoder as StandardDecoder } from '@exodus/bytes/encoding.js';
import type { BlockSink, ExtractionNote } from '../blocks.ts';
import { summed } from '../notes.ts';
import { type Script, scripted } from '../scripts.ts';
import { tableBlocks } from '../table-rows.ts';
import { encodingOf, encodingOfCharset, isIncomplete } from './code-pages.ts';
import { characters, type Target, targetOf } from './destinations.ts';
import { itemDepths } from './item-depths.ts';
import { type CellShape, cellsOf, type RtfRow } from './table.ts';
import { clean, markerOf, numberOf } from './texts.ts';
import { type Token, tokensOf } from './tokens.ts';

/** What a group inherits, and what ends with it. It is never changed, because groups may be nested millions of times. */
type State = {
  target: Target;
  font: number;
  style: number;
  isHidden: boolean;
  isDeleted: boolean;
  script: Script | undefined;
  /** So many characters behind `\u` are for programs without Unicode. */
  fallback: number;
};

/** @param source one character for each byte @returns what was left out */
export function readRtf(source: string, sink: BlockSink): ExtractionNote[] {
  const decoders = new Map<string, InstanceType<typeof StandardDecoder>>();
  const encodingOfFont = new Map<number, string>();
  const headingOfStyle = new Map<number, number>();
  const notes: string[] = [];
  const groups: State[] = [];
  let state: State = {
    target: 'body',
    font: 0,
    style: 0,
    isHidden: false,
    isDeleted: false,
    script: undefined,
    fallback: 1,
  };
  let defaultEncoding = 'windows-1252';
  let defaultFont = 0;
  let isFirst = false;
  let isStarred = false;
  let skip = 0;
  let bytes: number[] = [];
  let bytesEncoding = defaultEncoding;
  const counts = { characters_replaced: 0, comments_left_out: 0, pictures_without_text: 0 };

  let paragraph = { text: '', marker: '', level: 0, left: 0, heading: 0, isInTable: false };
  const depthOf = itemDepths();
  let note = '';
  let styleName = '';
  let cells: string[] = [];
  let shapes: CellShape[] = [];
  let merged = { isMergedWithLeft: false, isMergedWithAbove: false };
  let rows: RtfRow[] = [];

  const set = <Key extends keyof State>(key: Key, value: State[Key]) => {
    if (state[key] !== value) state = { ...state, [key]: value };
  };
  const write = (text: string) => {
    if (state.isHidden || state.isDeleted) return;
    const shown = scripted(text, state.script);
    if (state.target === 'body') paragraph.text += shown;
    else if (state.target === 'marker') paragraph.marker += text;
    else if (state.target === 'note') note += shown;
    else if (state.target === 'styles') styleName += text;
  };
  const writeBytes = () => {
    if (bytes.length === 0) return;
    const decoder = decoders.get(bytesEncoding) ?? new StandardDecoder(bytesEncoding);
    decoders.set(bytesEncoding, decoder);
    const text = decoder.decode(Uint8Array.from(bytes));
    const isShown = !state.isHidden && !state.isDeleted;
    if (isShown && (state.target === 'body' || state.target === 'note'))
      counts.characters_replaced += text.split('\ufffd').length - 1;
    write(text);
    bytes = [];
  };
  const endTable = () => {
    for (const block of tableBlocks(cellsOf(rows))) sink(block);
    rows = [];
  };
  const endParagraph = () => {
    const text = clean(paragraph.text);
    const marker = markerOf(paragraph.marker);
    const heading = paragraph.heading || (headingOfStyle.get(state.style) ?? 0);
    if (text !== '') {
      endTable();
      const depth = depthOf(paragraph.left || edgeOfLevel * paragraph.level, marker !== '');
      if (heading > 0)
        sink({ type: 'heading', level: Math.min(heading, 6), text: `${numberOf(marker)}${text}` });
      else if (marker === '') sink({ type: 'paragraph', text });
      else sink({ type: 'listItem', marker, depth, text });
    }
    paragraph = { ...paragraph, text: '', marker: '' };
  };
  const endCell = () => {
    const text = clean(`${markerOf(paragraph.marker)} ${paragraph.text}`);
    cells.push(text.replaceAll('\n', ' ').replaceAll(' ; ', '; ').replace(/ ?;$/, ''));
    paragraph = { ...paragraph, text: '', marker: '' };
  };
  const endRow = () => {
    if (cells.length > 0) rows.push({ texts: cells, shapes });
    cells = [];
  };
  const endStyle = () => {
    const [, level] = /^heading (\d)/i.exec(styleName.trim()) ?? [];
    if (level !== undefined) headingOfStyle.set(state.style, Number(level));
    styleName = '';
  };

  const inBody = (name: string, value: number | undefined) => {
    switch (name) {
      case 'par':
      case 'sect':
      case 'page':
      case '\n':
      case '\r':
        if (paragraph.isInTable) write('\n');
        else endParagraph();
        break;
      case 'pard':
        paragraph = { ...paragraph, level: 0, left: 0, heading: 0, isInTable: false };
        set('style', 0);
        break;
      case 'intbl':
        paragraph.isInTable = true;
        break;
      case 'li':
        paragraph.left = Math.max(value ?? 0, 0);
        break;
      case 'ilvl':
        paragraph.level = Math.min(Math.max(value ?? 0, 0), 8);
        break;
      case 'outlinelevel':
        paragraph.heading = value !== undefined && value < 6 ? value + 1 : 0;
        break;
      case 'trowd':
        shapes = [];
        break;
      case 'clmrg':
        merged.isMergedWithLeft = true;
        break;
      case 'clvmrg':
        merged.isMergedWithAbove = true;
        break;
      case 'cellx':
        shapes.push({ right: value ?? 0, ...merged });
        merged = { isMergedWithLeft: false, isMergedWithAbove: false };
        break;
      case 'cell':
        endCell();
        break;
      case 'row':
        endRow();
        break;
      case 'nestcell':
        write(' ');
        break;
    }
  };
  /** @returns whether the word formats characters */
  const format = (name: string, value: number | undefined): boolean => {
    if (name === 'f') set('font', value ?? 0);
    else if (name === 's') set('style', value ?? 0);
    else if (name === 'v') set('isHidden', value !== 0);
    else if (name === 'deleted') set('isDeleted', value !== 0);
    else if (name === 'super' || name === 'sub')
      set('script', value === 0 ? undefined : name === 'super' ? 'raised' : 'lowered');
    else if (name === 'nosupersub') set('script', undefined);
    else if (name === 'uc') set('fallback', Math.max(0, value ?? 1));
    else if (name === 'plain') {
      set('font', defaultFont);
      set('isHidden', false);
      set('script', undefined);
    } else return false;
    return true;
  };
  /** @returns whether the word says which encodings the bytes have */
  const encode = (name: string, value = 0): boolean => {
    const encoding = name === 'fcharset' ? encodingOfCharset(value) : encodingOf(value);
    if (name === 'ansicpg') defaultEncoding = encodingOf(value);
    else if (name === 'mac') defaultEncoding = 'macintosh';
    else if (name === 'deff') defaultFont = value;
    else if (name !== 'fcharset' && name !== 'cpg') return false;
    else if (state.target === 'fonts' && encoding !== undefined) encodingOfFont.set(state.font, encoding);
    return true;
  };

  const onWord = ({ name, value }: Extract<Token, { type: 'word' }>) => {
    const wasStarred = isStarred;
    // Some programs also write `\*` behind other words of a group, before a word that others may ignore.
    isStarred = name === '*' && isFirst;
    const outer = groups.at(-1)?.target;
    if (name === 'ud' && outer === 'alternatives') set('target', groups.at(-2)?.target ?? 'body');
    if (state.target === 'skipped' || name === '*' || name === 'ud') return;
    if (name === 'u' && value !== undefined) {
      write(String.fromCharCode(value & 0xffff));
      skip = state.fallback;
    } else if (!format(name, value) && !encode(name, value) && !begin(name, wasStarred)) {
      const character = characters[name];
      if (character !== undefined) write(character);
      else if (state.target === 'body') inBody(name, value);
      else if (state.target === 'note' && name === 'par') write(' ');
      else if (state.target === 'nested row' && name === 'nestrow') paragraph.text += '; ';
    }
  };
  /** @returns whether the word is the destination of a group */
  const begin = (name: string, wasStarred: boolean): boolean => {
    if (name === 'annotation') counts.comments_left_out += 1;
    if (name === 'pict' || name === 'shppict') counts.pictures_without_text += 1;
    const target = targetOf(name, wasStarred);
    if (target === undefined) return false;
    if (name === 'footnote') {
      write(`[${notes.length + 1}]`);
      note = '';
    }
    set('target', target);
    return true;
  };
  const close = () => {
    const { target } = state;
    if (target === 'styles') endStyle();
    state = groups.pop() ?? state;
    if (target === 'note' && state.target !== 'note') notes.push(clean(note));
  };

  for (const token of tokensOf(source)) {
    if (token.type === 'text' && isIncomplete(bytes, bytesEncoding)) {
      bytes.push(token.text.charCodeAt(0));
      token.text = token.text.slice(1);
    }
    if (token.type !== 'byte') writeBytes();
    if (skip > 0 && token.type !== 'open' && token.type !== 'close') {
      if (token.type !== 'text') {
        skip -= 1;
        continue;
      }
      const left = Math.min(skip, token.text.length);
      skip -= left;
      write(token.text.slice(left));
      continue;
    }
    skip = 0;
    if (token.type === 'open') {
      isStarred = false;
      groups.push(state);
      // The first alternative is for programs without Unicode.
      if (state.target === 'alternatives') set('target', 'skipped');
    } else if (token.type === 'close') close();
    else if (token.type === 'word') onWord(token);
    else if (token.type === 'text') write(token.text);
    else {
      const encoding = encodingOfFont.get(state.font) ?? defaultEncoding;
      if (encoding !== bytesEncoding) writeBytes();
      bytesEncoding = encoding;
      bytes.push(token.byte);
    }
    isFirst = token.type === 'open';
  }
  writeBytes();
  endRow();
  endParagraph();
  endTable();
  for (const [at, text] of notes.entries()) sink({ type: 'note', marker: `[${at + 1}]`, text });
  return summed(codes.map((code) => ({ code, count: counts[code] })));
}

const codes = ['characters_replaced', 'comments_left_out', 'pictures_without_text'] as const;
/** The left edge of an item by its level, if the program writes no edges. */
const edgeOfLevel = 360;
