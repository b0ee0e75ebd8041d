/** A text in which matches are marked. */

import type { ComponentChildren } from 'preact';

type Span = { start: number; end: number };

/** @param spans the matches in order, in UTF-16 code units */
export function Marked({ text, spans }: { text: string; spans: readonly Span[] }) {
  const nodes: ComponentChildren[] = [];
  let from = 0;
  for (const { start, end } of spans) {
    if (start < from) continue;
    nodes.push(text.slice(from, start), <mark key={start}>{text.slice(start, end)}</mark>);
    from = end;
  }
  return (
    <span class="foreign" dir="auto">
      {nodes}
      {text.slice(from)}
    </span>
  );
}
