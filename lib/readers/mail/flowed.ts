/** Joins the lines of a text that a program has divided (`format=flowed`, RFC 3676). The work is linear in the text. */

const signature = '-- ';

/** @param deletesSpace whether the space at the end of a divided line is no part of the text (`delsp=yes`) */
export function unflowed(text: string, deletesSpace: boolean): string {
  const lines: { depth: number; parts: string[]; goesOn: boolean }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const quoted = line.replace(/^>+/, '');
    const depth = line.length - quoted.length;
    // A space protects lines that begin with a space or with `>`.
    const content = quoted.startsWith(' ') ? quoted.slice(1) : quoted;
    const goesOn = content.endsWith(' ') && content !== signature;
    const part = goesOn && deletesSpace ? content.slice(0, -1) : content;
    const last = lines.at(-1);
    if (last?.goesOn && last.depth === depth && content !== signature) {
      last.parts.push(part);
      last.goesOn = goesOn;
    } else lines.push({ depth, parts: [part], goesOn });
  }
  return lines
    .map(({ depth, parts }) => (depth > 0 ? `${'>'.repeat(depth)} ` : '') + parts.join(''))
    .join('\n');
}
