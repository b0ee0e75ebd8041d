/** The library has no types. These are the parts that we use. */

declare module 'html-encoding-sniffer' {
  /** @returns the name of the encoding that a byte order mark or a `<meta>` states, or the default */
  export default function sniff(bytes: Uint8Array, options: { defaultEncoding: string }): string;
}
