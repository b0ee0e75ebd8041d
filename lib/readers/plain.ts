/** Reads plain text as paragraphs and items. */

import type { BlockSink } from './blocks.ts';

/** @param text whose paragraphs are separated by empty lines. An item begins with a dash, a star or a number */
export function readPlain(text: string, sink: BlockSink): void {
  let lines: string[] = [];
  const end = () => {
    if (lines.length > 0) sink({ type: 'paragraph', text: lines.join('\n') });
    lines = [];
  };
  for (const line of text.split(/\r\n|\n|\r/)) {
    const trimmed = line.replace(/\s+/g, ' ').trim();
    const [, marker, item] = /^([-*•]|\d{1,3}[.)]) (.+)$/.exec(trimmed) ?? [];
    if (trimmed === '' || marker !== undefined) end();
    if (marker !== undefined && item !== undefined) sink({ type: 'listItem', marker, depth: 0, text: item });
    else if (trimmed !== '') lines.push(trimmed);
  }
  end();
}
