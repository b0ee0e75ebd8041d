/** Reads the XML of a part as a stream of events, whose names have the same prefixes whatever prefixes and namespaces the part has. */

import { SaxesParser } from 'saxes';
import { NotExtractable } from '../../readers/types.ts';

/** Elements and attributes have names such as `w:p`. An attribute without a prefix has its own name. */
export type XmlHandler = {
  open(name: string, attribute: AttributeReader): void;
  close?(name: string): void;
  text?(text: string): void;
};
export type AttributeReader = (name: string) => string | undefined;

/** The transitional and the strict namespaces of ECMA-376, and those of Microsoft, by the last parts of their names. */
const prefixes: Readonly<Record<string, string>> = {
  'wordprocessingml/2006/main': 'w',
  'wordprocessingml/main': 'w',
  'officeDocument/2006/math': 'm',
  'officeDocument/math': 'm',
  'officeDocument/2006/relationships': 'r',
  'officeDocument/relationships': 'r',
  'drawingml/2006/main': 'a',
  'drawingml/main': 'a',
  'drawingml/2006/picture': 'pic',
  'drawingml/picture': 'pic',
  'drawingml/2006/wordprocessingDrawing': 'wp',
  'drawingml/wordprocessingDrawing': 'wp',
  'markup-compatibility/2006': 'mc',
  'drawing/2017/decorative': 'adec',
  'urn:schemas-microsoft-com:vml': 'v',
  'package/2006/relationships': 'rel',
  'package/2006/content-types': 'ct',
  'http://purl.org/dc/elements/1.1/': 'dc',
};
const hosts =
  /^http:\/\/(?:schemas\.openxmlformats\.org|purl\.oclc\.org\/ooxml|schemas\.microsoft\.com\/office)\//;

const prefixOf = (namespace: string): string => prefixes[namespace.replace(hosts, '')] ?? '?';

/** A larger part is decoded in pieces, so that its text is never in memory as a whole. */
const pieceBytes = 256 * 1024;

/**
 * @param bytes of a part; undefined for a part that the package does not have
 * @throws NotExtractable if the XML is broken, or has a DTD: nothing may declare entities
 */
export function readXml(bytes: Uint8Array | undefined, handler: XmlHandler): void {
  if (!bytes) return;
  const names = namesInScope();
  const parser = new SaxesParser({ position: false, xmlns: false });
  parser.on('doctype', () => {
    throw new NotExtractable('unreadable_file', 'The DOCX has a DTD, which no DOCX may have.');
  });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    names.enter(attributes);
    handler.open(names.of(name), (wanted) => {
      for (const key in attributes) if (names.ofAttribute(key) === wanted) return attributes[key];
      return undefined;
    });
  });
  parser.on('closetag', ({ name }) => {
    handler.close?.(names.of(name));
    names.leave();
  });
  if (handler.text) {
    const text = handler.text.bind(handler);
    parser.on('text', text);
    parser.on('cdata', text);
  }
  try {
    const decoder = new TextDecoder(encodingOf(bytes));
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      parser.write(decoder.decode(bytes.subarray(at, at + pieceBytes), { stream: true }));
    }
    parser.write(decoder.decode()).close();
  } catch (error) {
    if (error instanceof NotExtractable) throw error;
    throw new NotExtractable('unreadable_file', 'The DOCX is broken: a part of it is not well-formed XML.');
  }
}

/** A part is UTF-8 or UTF-16 (ECMA-376 part 2, 8.1.4). Its first bytes show which of them (XML 1.0, appendix F). */
function encodingOf([first, second]: Uint8Array): string {
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
  return 'utf-8';
}

/** The work for an element does not depend on its depth. */
function namesInScope() {
  const scope = new Map<string, string>();
  /** The prefixes that each open element has replaced, with their meanings before. */
  const replaced: [prefix: string, before: string | undefined][][] = [];
  const canonical = new Map<string, string>();
  const of = (name: string): string => {
    let result = canonical.get(name);
    if (result === undefined) {
      const colon = name.indexOf(':');
      result = `${scope.get(name.slice(0, Math.max(0, colon))) ?? '?'}:${name.slice(colon + 1)}`;
      canonical.set(name, result);
    }
    return result;
  };
  const set = (prefix: string, value: string | undefined): void => {
    if (value === undefined) scope.delete(prefix);
    else scope.set(prefix, value);
    canonical.clear();
  };
  return {
    of,
    ofAttribute: (name: string): string => (name.includes(':') ? of(name) : name),
    enter(attributes: Readonly<Record<string, string>>): void {
      const before: [string, string | undefined][] = [];
      for (const key in attributes) {
        if (key !== 'xmlns' && !key.startsWith('xmlns:')) continue;
        const prefix = key.slice('xmlns:'.length);
        before.push([prefix, scope.get(prefix)]);
        set(prefix, prefixOf(attributes[key] ?? ''));
      }
      replaced.push(before);
    },
    leave(): void {
      for (const [prefix, before] of replaced.pop()?.toReversed() ?? []) set(prefix, before);
    },
  };
}

/** @param value of an on/off property such as `w:vanish`, which is on without a value (ECMA-376 part 1, 17.17.4) */
export const isOn = (value: string | undefined): boolean => !['0', 'false', 'off'].includes(value ?? '');

/** @returns undefined if the attribute is no whole number */
export function wholeNumber(value: string | undefined): number | undefined {
  const number = Number.parseInt(value ?? '', 10);
  return Number.isSafeInteger(number) ? number : undefined;
}
