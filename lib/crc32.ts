/**
 * CRC-32 as in ISO-HDLC, gzip and zlib (RFC 1952 section 8), bit by bit: a key is short, and `node:zlib` would add 2 ms
 * to every cold start.
 *
 * @param text ASCII
 */
export function crc32(text: string): number {
  let crc = ~0;
  for (let index = 0; index < text.length; index += 1) {
    crc ^= text.charCodeAt(index);
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
  }
  return ~crc >>> 0;
}
