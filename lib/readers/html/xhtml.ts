/** Makes HTML of XHTML: in XML, any element may end where it begins, and text may be in CDATA sections. */

const voidElements = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);

/** @param source with an XML declaration, or anything else, which is not changed. The work is linear in it */
export function asHtml(source: string): string {
  if (!/^[\s\ufeff]*<\?xml\s/.test(source.slice(0, 1000))) return source;
  const parts: string[] = [];
  let done = 0;
  const add = (end: number, text: string, next: number) => {
    parts.push(source.slice(done, end), text);
    done = next;
  };
  for (let at = source.indexOf('<'); at !== -1; at = source.indexOf('<', at)) {
    if (source.startsWith('<!--', at)) at = endOf(source, '-->', at);
    else if (source.startsWith('<![CDATA[', at)) {
      const end = endOf(source, ']]>', at);
      const text = source.slice(at + 9, source.startsWith(']]>', end - 3) ? end - 3 : end);
      add(at, text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'), end);
      at = end;
    } else {
      const end = tagEnd(source, at);
      const name = /^<([a-z][a-z0-9-]*)/i.exec(source.slice(at, Math.min(end, at + 50)))?.[1];
      const isEmpty = source.startsWith('/>', end - 2) && name && !voidElements.has(name.toLowerCase());
      if (isEmpty) add(end - 2, `></${name}>`, end);
      at = end;
    }
  }
  return parts.join('') + source.slice(done);
}

const endOf = (source: string, mark: string, from: number): number => {
  const at = source.indexOf(mark, from);
  return at === -1 ? source.length : at + mark.length;
};

/** Skips `>` in the values of attributes. */
function tagEnd(source: string, from: number): number {
  const marks = /["'>]/g;
  marks.lastIndex = from;
  for (let found = marks.exec(source); found; found = marks.exec(source)) {
    if (found[0] === '>') return found.index + 1;
    marks.lastIndex = endOf(source, found[0], found.index + 1);
  }
  return source.length;
}
