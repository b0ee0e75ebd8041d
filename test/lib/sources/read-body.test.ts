/** How much of a body is read follows from its type, which its content decides. */

import { describe, expect, test } from 'vitest';
import { TooLarge } from '../../../lib/network/get.ts';
import { readBody } from '../../../lib/sources/refresh/read-body.ts';
import { bodyTypeOf } from '../../../lib/sources/rules/body-type.ts';
import { fileTimes, maxFileBytes, maxPageBytes } from '../../../lib/sources/rules/limits.ts';

const part = 64 * 1024;

/** @returns what was read of a body of this size, and how much of it was requested */
async function read(start: string, bytes: number, contentType?: string, status = 200) {
  let sent = 0;
  let times = 0;
  async function* body() {
    const first = Buffer.from(start, 'latin1');
    for (let chunk = first; sent < bytes; chunk = Buffer.alloc(Math.min(part, bytes - sent), 'x')) {
      sent += chunk.length;
      yield chunk;
    }
  }
  const headers = contentType === undefined ? {} : { contentType };
  const result = await readBody(body(), { status, headers }, (more) => {
    times += more;
  }).then(
    ({ length }) => length,
    (error: unknown) => {
      if (error instanceof TooLarge) return 'too large' as const;
      throw error;
    },
  );
  return { result, sent, times };
}

const html = '<!doctype html><p>text';

describe('a body', () => {
  test.each([
    ['a page of 5 MB', html, maxPageBytes, 'text/html', maxPageBytes],
    ['a larger page', html, maxPageBytes + 1, 'text/html', 'too large'],
    ['a larger page without a type', html, maxPageBytes + 1, undefined, 'too large'],
    ['a PDF of 25 MB', '%PDF-1.7', maxFileBytes, 'application/pdf', maxFileBytes],
    ['a PDF of 25 MB that is called a page', '%PDF-1.7', maxFileBytes, 'text/html', maxFileBytes],
    ['a larger PDF', '%PDF-1.7', maxFileBytes + 1, 'application/pdf', 'too large'],
    ['an archive of 25 MB', 'PK\x03\x04', maxFileBytes, undefined, maxFileBytes],
  ])('%s', async (_, start, bytes, contentType, expected) => {
    expect((await read(start, bytes, contentType)).result).toBe(expected);
  });

  test.each([
    ['a video', '\0\0\0\x20ftypmp42', 'application/octet-stream'],
    ['a program', `MZ${'\0'.repeat(2000)}`, 'application/octet-stream'],
    ['something that is called a video', 'x'.repeat(2000), 'video/mp2t'],
    ['a file for programs', `{"a": "${'x'.repeat(2000)}`, 'application/json'],
  ])('of %s, only the beginning is read', async (_, start, contentType) => {
    const { sent } = await read(start, 10 * maxFileBytes, contentType);
    expect(sent).toBeLessThan(3 * part);
  });

  test('has more time if it is a file', async () => {
    expect((await read('%PDF-1.7', 2000)).times).toBe(fileTimes);
    expect((await read(html, 2000)).times).toBe(0);
  });

  test('of an error, nothing is read', async () => {
    expect(await read(html, maxFileBytes, 'text/html', 404)).toEqual({ result: 0, sent: 0, times: 0 });
  });
});

test.each([
  ['text/html', html, 'page'],
  ['text/html', 'text', 'page'],
  ['application/xhtml+xml', '<?xml version="1.0"?><html>', 'page'],
  ['application/xml', '<?xml version="1.0"?><!DOCTYPE html><html>', 'page'],
  [undefined, '  <p>text</p>', 'page'],
  ['application/octet-stream', html, 'page'],
  ['text/html', '%PDF-1.7', 'file'],
  ['text/html', '<p>A %PDF-1.7 has objects.', 'page'],
  ['application/octet-stream', 'before %PDF-1.7', 'file'],
  ['text/html', '{\\rtf1 text}', 'file'],
  ['image/png', 'PK\x03\x04', 'file'],
  ['text/plain', html, 'file'],
  ['text/plain', 'text', 'file'],
  ['text/csv', 'a,b', 'file'],
  ['message/rfc822', 'Subject: Hello', 'file'],
  [undefined, '<img src="a.png">\n\n# Title', 'file'],
  ['text/plain; charset=utf-16le', 't\0e\0x\0t\0', 'file'],
  ['text/html; charset=utf-16le', '<\0p\0>\0t\0e\0x\0t\0', 'page'],
  ['text/html', 'a\0b\0\0c', 'refused'],
  ['image/svg+xml', '<svg><text>text</text></svg>', 'refused'],
  ['application/atom+xml', '<feed>', 'refused'],
  ['application/ld+json', '{}', 'refused'],
  ['text/css', 'p {}', 'refused'],
  ['application/pdf', '\x89PNG\r\n', 'refused'],
])('the type of %s with %j is decided', (contentType, text, kind) => {
  expect(bodyTypeOf(contentType, Buffer.from(text, 'latin1')).kind).toBe(kind);
});
