/**
 * CRC-32 as in ISO-HDLC, gzip and zlib (RFC 1952 section 8). `node:zlib` has it too, but would add 2 ms to every cold
 * start.
 *
 * @param text ASCII
 */
export function crc32(text: string): number {
  let crc = ~0;
  for (let index = 0; index < text.length; index += 1) {
    crc ^= text.charCodeAt(index);
    crc = (crc >>> 4) ^ (table[crc & 0xf] as number);
    crc = (crc >>> 4) ^ (table[crc & 0xf] as number);
  }
  return ~crc >>> 0;
}

/** The effect of each half of a byte on the register. A table for whole bytes would take longer to fill than a key to check. */
const table = Int32Array.from({ length: 16 }, (_, half) => {
  let crc = half;
  for (let bit = 0; bit < 4; bit += 1) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
  return crc;
});
