/** The type of a body. Pure. */

const types: Readonly<Record<string, 'html' | 'text'>> = {
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'text/plain': 'text',
  'text/markdown': 'text',
  'text/x-markdown': 'text',
};

const sniffBytes = 1024;

/** @returns undefined for another type, and for a body that is not the text that the server says it is */
export function typeOf(contentType: string | undefined, body: Uint8Array): 'html' | 'text' | undefined {
  const start = body.subarray(0, sniffBytes);
  const isUtf16 = (start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff);
  if (start.includes(0) && !isUtf16) return undefined;
  if (Buffer.from(start.subarray(0, 5)).toString('latin1') === '%PDF-') return undefined;
  const [name = ''] = (contentType ?? '').split(';', 1);
  const type = name.trim().toLowerCase();
  if (type === '') return Buffer.from(start).toString('latin1').trimStart().startsWith('<') ? 'html' : 'text';
  return types[type];
}
