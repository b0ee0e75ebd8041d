/** Makes documents of files. */

import type { FileSource } from '../core/upload.ts';
import type { SyncDocument } from './sync-document.ts';
import { titleFrom, titleIn } from './titles.ts';

const mimeTypes = {
  '.md': 'text/markdown',
  '.markdown': 'text/markdown',
  '.html': 'text/html',
  '.htm': 'text/html',
  '.txt': 'text/plain',
} as const;

/** The API extracts the texts of files with these extensions. */
const uploadedExtensions = [
  '.pdf',
  '.docx',
  '.rtf',
  '.xhtml',
  '.eml',
  '.mhtml',
  '.mht',
  '.csv',
  '.tsv',
] as const;

/** The API's limit of a content, in UTF-8. */
const maxTextBytes = 200 * 1024;

/** Whether a file or folder has no documents because it is hidden, or is `node_modules`. @param name the name without its folder */
export const isIgnored = (name: string): boolean => name.startsWith('.') || name === 'node_modules';

/** The extensions of files that are documents, unless the caller chooses others. */
export const documentExtensions: readonly string[] = [...Object.keys(mimeTypes), ...uploadedExtensions];

/** @param extensions in upper or lower case, such as `.md`; letter case does not matter in names either */
export const hasExtension = (path: string, extensions: readonly string[]): boolean =>
  extensions.some((extension) => path.toLowerCase().endsWith(extension.toLowerCase()));

/** Whether the text of a file is sent as it is, if it is UTF-8. Other files are uploaded, and the API extracts their texts. */
export const isSentAsText = (path: string, bytes: number): boolean =>
  bytes <= maxTextBytes && !hasExtension(path, uploadedExtensions);

/**
 * @returns the text without a byte order mark; undefined if it is not UTF-8. Null characters are UTF-8, but no text has them: such
 * a file is UTF-16 without a byte order mark, or no text at all
 */
export function utf8Text(bytes: Uint8Array | ArrayBuffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/**
 * Makes the document of a file. Its text is sent if it is small and UTF-8. Any other file is uploaded, because only the API decides
 * which encoding it has.
 * @param path the path below the folder that is synchronised, with `/`
 */
export function documentFromFile(path: string, bytes: Uint8Array<ArrayBuffer>): SyncDocument {
  const text = isSentAsText(path, bytes.length) ? utf8Text(bytes) : undefined;
  return text === undefined ? documentOfFile(path, new Blob([bytes])) : documentFrom(path, text);
}

/**
 * Makes the document of a file whose text is sent. Its id and title are composed (NFC): macOS may decompose names, and a folder
 * must have the same ids everywhere.
 * @param path the path below the folder that is synchronised, with `/`
 * @returns a document whose `externalId` is the path, and whose title is that of its front matter, its first heading, or else the
 * file's name without its extension. Its content is the text behind the front matter, unless there is none. If the extension does
 * not tell the type, it is `text/plain`
 */
export function documentFrom(path: string, content: string) {
  const typeOfExtension = Object.entries(mimeTypes).find(([extension]) =>
    hasExtension(path, [extension]),
  )?.[1];
  const mimeType = typeOfExtension ?? 'text/plain';
  const isMarkdown = mimeType === 'text/markdown';
  const { title, body } = isMarkdown ? readFrontMatter(content) : { title: undefined, body: content };
  const name = nameOf(path);
  return {
    externalId: path.normalize(),
    title: (titleFrom(title) ?? titleIn(body, mimeType) ?? name).normalize(),
    content: body.trim() === '' ? content : body,
    mimeType,
  } satisfies SyncDocument;
}

/**
 * Makes the document of a file that is uploaded.
 * @param path the path below the folder that is synchronised, with `/`
 * @returns a document whose `externalId` is the path, and whose title is the file's name without its extension
 */
export const documentOfFile = (path: string, file: FileSource) =>
  ({
    externalId: path.normalize(),
    title: nameOf(path).normalize(),
    file,
  }) satisfies SyncDocument;

/** The file's name without its extension: `.md` alone is a name. */
function nameOf(path: string): string {
  const file = path.slice(path.lastIndexOf('/') + 1);
  const dot = file.lastIndexOf('.');
  return dot > 0 ? file.slice(0, dot) : file;
}

type FrontMatter = {
  /** The title; undefined if there is none, or if it is not simple text. */
  title: string | undefined;
  /** The text behind the front matter: the whole text if it has no front matter. */
  body: string;
};

/**
 * Reads front matter: YAML between `---` at the start of a Markdown file. Only a `title` on one line is read.
 *
 * A block is front matter only if each of its lines can be YAML, and nothing else is removed: a text may also begin with a
 * thematic break.
 */
function readFrontMatter(content: string): FrontMatter {
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
