/** Reads front matter: YAML between `---` at the start of a Markdown file. Only a `title` on one line is read. */

export type FrontMatter = {
  /** The title; undefined if there is none, or if it is not simple text. */
  title: string | undefined;
  /** The text behind the front matter: the whole text if it has no front matter. */
  body: string;
};

/**
 * A block is front matter only if each of its lines can be YAML, and nothing else is removed: a text may also begin with a
 * thematic break.
 */
export function readFrontMatter(content: string): FrontMatter {
  const none = { title: undefined, body: content };
  const lines = content.split(/(?<=\n)/);
  if (lines[0]?.trimEnd() !== '---') return none;
  const end = lines.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)$/.test(line.trimEnd()));
  const block = lines.slice(1, Math.max(1, end)).map((line) => line.trimEnd());
  const isYaml = block.every(canBeYaml) && (block.some(isEntry) || block.every((line) => line === ''));
  if (end < 0 || !isYaml) return none;
  return { title: titleOf(block), body: lines.slice(end + 1).join('') };
}

/** Whether a line is `key: value`, or `key:` above a list or a text. */
const isEntry = (line: string): boolean => /^[^\s#[\]{}-]/.test(line) && /:(?:\s|$)/.test(line);

/** Whether a line is empty, indented, a comment, an item of a list, the end of a list in brackets, or an entry. */
const canBeYaml = (line: string): boolean => line === '' || /^(?:\s|#|- |[\]}])/.test(line) || isEntry(line);

function titleOf(block: readonly string[]): string | undefined {
  const at = block.findIndex((line) => /^title:(?:\s|$)/.test(line));
  const value = block[at]?.slice('title:'.length).trim() ?? '';
  // The title continues in the next line.
  if (/^\s+\S/.test(block[at + 1] ?? '')) return undefined;
  if (value.startsWith('"') || value.startsWith("'")) return quotedText(value);
  const comment = value.indexOf(' #');
  const plain = comment < 0 ? value : value.slice(0, comment).trim();
  // A value that begins with one of these characters, or has a colon, is no text in YAML.
  return /^(?:[[\]{}|>&*!%@`#,?]|~$|null$)/.test(plain) || plain.includes(': ') ? undefined : plain;
}

/** @param value a text that begins with a quotation mark. Behind the closing mark, only a comment may follow */
function quotedText(value: string): string | undefined {
  const [text] = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/.exec(value) ?? [];
  if (text === undefined || !/^(?:\s+#|$)/.test(value.slice(text.length))) return undefined;
  if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
  try {
    // The escapes of JSON are escapes of YAML, too. A text with other escapes is not read.
    return String(JSON.parse(text));
  } catch {
    return undefined;
  }
}
