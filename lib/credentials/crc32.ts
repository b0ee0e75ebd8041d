/**
 * CRC-32 as in ISO-HDLC, gzip and zlib (RFC 1952 section 8). `node:zlib` has it too, but would add 2 ms to every cold
 * start.
 *
 * @param text ASCII
 */
export function crc32(text: string): number {
  let crc = ~0;
  for (let index = 0; index < text.length; index += 1) {
    crc = (crc >>> 8) ^ (table[(crc ^ text.charCodeAt(index)) & 0xff] as number);
  }
  return ~crc >>> 0;
}

/** The effect of each byte on the register. */
const table = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
  return crc;
});
