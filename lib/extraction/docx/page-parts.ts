/** The headers and footers of the pages, and the settings of a document. */

import type { Block } from '../../readers/blocks.ts';
import type { Section } from './story.ts';
import { isOn, readXml } from './xml.ts';

export type Settings = { hasEvenPages: boolean; footnoteFormat: string; endnoteFormat: string };

export function readSettings(xml: Uint8Array | undefined): Settings {
  const settings = { hasEvenPages: false, footnoteFormat: 'decimal', endnoteFormat: 'lowerRoman' };
  let parent = '';
  readXml(xml, {
    open(name, attribute) {
      const value = attribute('w:val');
      if (name === 'w:evenAndOddHeaders') settings.hasEvenPages = isOn(value);
      if (name === 'w:footnotePr' || name === 'w:endnotePr') parent = name;
      if (name !== 'w:numFmt' || value === undefined) return;
      if (parent === 'w:footnotePr') settings.footnoteFormat = value;
      if (parent === 'w:endnotePr') settings.endnoteFormat = value;
    },
    close(name) {
      if (name === parent) parent = '';
    },
  });
  return settings;
}

/** @param read the blocks of a part @returns what the pages show, each text once */
export function headersAndFooters(
  sections: readonly Section[],
  { hasEvenPages }: Settings,
  read: (id: string) => readonly Block[] | undefined,
): { headers: Block[]; footers: Block[] } {
  const pages = { headers: [] as Block[], footers: [] as Block[] };
  const seen = new Set<string>();
  const isNew = (key: string): boolean => !seen.has(key) && seen.add(key) !== undefined;
  for (const { pageParts, hasFirstPage } of sections) {
    for (const { name, type, id } of pageParts) {
      if ((type === 'first' && !hasFirstPage) || (type === 'even' && !hasEvenPages) || !isNew(id)) continue;
      const blocks = read(id)?.filter(hasLetter).map(withoutHeading) ?? [];
      const target = name === 'w:headerReference' ? pages.headers : pages.footers;
      if (isNew(JSON.stringify(blocks))) target.push(...blocks);
    }
  }
  return pages;
}

/** A block without letters, such as the number of a page, is not read. */
const hasLetter = (block: Block): boolean => /\p{L}/u.test(JSON.stringify(Object.values(block).slice(1)));

/** A heading in a header is no title of the text below it. */
const withoutHeading = (block: Block): Block =>
  block.type === 'heading' ? { type: 'paragraph', text: block.text } : block;
