/** The tokens of RTF ("Rich Text Format Specification" 1.9.1). The work is linear in the source. */

export type Token =
  | { type: 'open' }
  | { type: 'close' }
  /** A control word, or a control symbol, such as `~`. */
  | { type: 'word'; name: string; value: number | undefined }
  /** A character in the code page of its font. */
  | { type: 'byte'; byte: number }
  | { type: 'text'; text: string };

const isLetter = (code: number): boolean => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
const maxWordLength = 32;
const [backslash, open, close, lineFeed, carriageReturn] = [0x5c, 0x7b, 0x7d, 0x0a, 0x0d];

/** @param source one character for each byte */
export function* tokensOf(source: string): Generator<Token> {
  const { length } = source;
  for (let at = 0; at < length; ) {
    const code = source.charCodeAt(at);
    if (code === backslash) {
      const token = controlAt(source, at);
      at = token.end;
      if (token.token) yield token.token;
    } else if (code === open || code === close) {
      at += 1;
      yield { type: code === open ? 'open' : 'close' };
    } else if (code === lineFeed || code === carriageReturn) at += 1;
    else if (code >= 0x80) {
      at += 1;
      yield { type: 'byte', byte: code };
    } else {
      const from = at;
      for (let next = code; at < length && isPlain(next); next = source.charCodeAt(at)) at += 1;
      yield { type: 'text', text: source.slice(from, at) };
    }
  }
}

const isPlain = (code: number): boolean =>
  code < 0x80 &&
  code !== backslash &&
  code !== open &&
  code !== close &&
  code !== lineFeed &&
  code !== carriageReturn;

function controlAt(source: string, from: number): { token?: Token; end: number } {
  let at = from + 1;
  const first = source.charCodeAt(at);
  if (!isLetter(first)) {
    const symbol = source.charAt(at);
    if (symbol !== "'") return { token: { type: 'word', name: symbol, value: undefined }, end: at + 1 };
    const byte = Number.parseInt(source.slice(at + 1, at + 3), 16);
    return Number.isNaN(byte) ? { end: at + 1 } : { token: { type: 'byte', byte }, end: at + 3 };
  }
  while (at - from <= maxWordLength && isLetter(source.charCodeAt(at))) at += 1;
  const name = source.slice(from + 1, at);
  const digits = at;
  if (source.charAt(at) === '-') at += 1;
  while (at - digits < 11 && isDigit(source.charCodeAt(at))) at += 1;
  const value = Number.parseInt(source.slice(digits, at), 10);
  if (source.charAt(at) === ' ') at += 1;
  // Behind `\bin` are so many bytes that are no text.
  if (name === 'bin' && value > 0) return { end: Math.min(at + value, source.length) };
  return { token: { type: 'word', name, value: Number.isNaN(value) ? undefined : value }, end: at };
}
