/** The encoding that a document states about itself. */

import { labelToName } from '@exodus/bytes/encoding.js';
import sniff from 'html-encoding-sniffer';
import { encodingOfCodePage } from './code-pages.ts';

/** The HTML Standard looks for an encoding in these bytes (section 13.2.3.2, "Determining the character encoding"). */
const prescanBytes = 1024;
const headerLength = 200;
const none = 'none';

/**
 * @param contentType a header, or the type that a caller gives with a file
 * @returns the label of its `charset`
 */
export const charsetOf = (contentType: string): string | undefined =>
  /charset=["']?([\w.:-]{1,40})/i.exec(contentType.slice(0, headerLength))?.[1];

/** These labels do not say which letters the bytes beyond ASCII are: the standard would use Windows-1252, or private characters. */
const silent = /^(?:(?:us-)?ascii|ansi_x3\.4-1968|x-user-defined)$/i;
/** Mail programs write the number of a code page, which is no label of the standard. */
const codePage = /^(?:cp|ms|windows-|x-ms-cp)(\d{3,5})$/i;

/** @returns the name of the encoding in the Encoding Standard, in lower case; undefined for an unknown label */
export function encodingOf(label = ''): string | undefined {
  if (silent.test(label)) return undefined;
  const name = labelToName(label)?.toLowerCase() ?? encodingOfCodePage(Number(codePage.exec(label)?.[1]));
  // The Encoding Standard replaces a text in these encodings by a single character.
  return name === 'replacement' ? undefined : name;
}

/**
 * @param isMarkup a `<meta>` of other texts is one of their examples. An XML declaration begins XML only
 * @returns the encodings that the start of a text states: in a `<meta>`, and in the XML declaration
 */
export function encodingsInText(bytes: Uint8Array, isMarkup: boolean): string[] {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, prescanBytes));
  const text = start.toString('latin1');
  return [isMarkup ? encodingInMeta(text) : undefined, encodingOf(encodingInDeclaration(text.trimStart()))]
    .filter((name) => name !== undefined)
    .map(asciiEncoding);
}

/** @returns the label in an XML declaration (XML 1.0, section 2.8) */
function encodingInDeclaration(text: string): string | undefined {
  const declaration = text.startsWith('<?xml') ? text.slice(0, text.indexOf('?>')) : '';
  return /encoding[ \t\r\n]{0,9}=[ \t\r\n]{0,9}["']([\w.:-]{1,40})["']/.exec(declaration)?.[1];
}

/** The markup was read as ASCII, so its text is not in UTF-16 (HTML Standard, section 13.2.3.2). */
const asciiEncoding = (name: string): string => (name.startsWith('utf-16') ? 'utf-8' : name);

function encodingInMeta(start: string): string | undefined {
  try {
    const name = sniff(Buffer.from(withoutScripts(start), 'latin1'), { defaultEncoding: none });
    return name === none ? undefined : encodingOf(name);
  } catch {
    // The library fails for `content="charset"`.
    return undefined;
  }
}

/** The prescan of the HTML Standard skips comments, but not scripts. Markup in either is not that of the page. */
function withoutScripts(start: string): string {
  const lower = start.toLowerCase();
  let result = '';
  for (let at = 0; ; ) {
    const [comment, script] = [lower.indexOf('<!--', at), lower.indexOf('<script', at)];
    const isComment = comment !== -1 && (script === -1 || comment < script);
    const from = isComment ? comment : script;
    if (from === -1) return result + start.slice(at);
    result += start.slice(at, from);
    const end = lower.indexOf(isComment ? '-->' : '</script', from);
    if (end === -1) return result;
    at = end + (isComment ? 3 : 8);
  }
}
