/** Recognises UTF-16 without a byte order mark. */

/** In UTF-16, spaces, line ends and Latin letters have a zero byte, on the same side of each. */
const maxOtherSide = 0.05;
/** The first byte of most letters is a control character in other encodings. Of a text in UTF-8, few bytes are. */
const minControlBytes = 0.04;
const maxStrangeCharacters = 0.01;
const sampleBytes = 1024 * 1024;

/** @returns undefined if the bytes are in another encoding */
export function utf16In(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const sample = bytes.subarray(0, sampleBytes);
  const zeros = [0, 0] as [number, number];
  let controls = 0;
  for (let at = 0; at < sample.length; at += 1) {
    const byte = sample[at] ?? 0;
    if (byte === 0) zeros[at % 2 === 0 ? 0 : 1] += 1;
    if (isControl(byte)) controls += 1;
  }
  const most = Math.max(...zeros);
  if (most === 0 || Math.min(...zeros) > most * maxOtherSide) return undefined;
  if (controls < sample.length * minControlBytes) return undefined;
  const encoding = zeros[1] === most ? 'utf-16le' : 'utf-16be';
  const text = new TextDecoder(encoding).decode(sample.subarray(0, sample.length & ~1));
  const strange = text.match(/[^\P{C}\t\n\f\r\ufeff\p{Cf}]|\ufffd/gu)?.length ?? 0;
  return strange <= text.length * maxStrangeCharacters ? encoding : undefined;
}

const isControl = (byte: number): boolean => byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d].includes(byte);
