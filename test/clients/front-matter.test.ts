/** The front matter of Markdown is not part of a document, and may have its title. */

import { describe, expect, test } from 'vitest';
import { describeReaders } from '../support/client/readers.ts';

describeReaders((readFile) => {
  const read = async (text: string, name = 'page.md') => {
    const { title, content } = await readFile(name, text);
    return { title, content };
  };

  describe('front matter', () => {
    test.each([
      ['with a title, which comes before the first heading', 'title: Returns\ntags: [a, b]', 'Returns'],
      [
        'with lists, nested values, texts of several lines and comments',
        '# a\nb:\n- c\n\nd: |\n  e\nf: [\n  g\n]',
        'Heading',
      ],
      ['that is empty', '', 'Heading'],
      ['with a key that has a colon', 'og:title: Other', 'Heading'],
    ])('%s is not part of the content', async (_what, block, title) => {
      for (const end of ['---', '...', '--- ']) {
        const text = `---\n${block}\n${end}\n# Heading\n\nText.\n`;
        const expected = { title, content: '# Heading\n\nText.\n' };
        expect(await read(text)).toEqual(expected);
        const windows = { title, content: expected.content.replaceAll('\n', '\r\n') };
        expect(await read(text.replaceAll('\n', '\r\n'))).toEqual(windows);
      }
    });

    test.each([
      ['a block without an end', '---\ntitle: Returns\n\n# Heading\n'],
      ['text between thematic breaks', '---\nSome text.\n---\n# Heading\n'],
      ['text and an entry', '---\ntitle: Returns\nSome text.\n---\n# Heading\n'],
      ['only a heading', '---\n# Heading\n---\nText.\n'],
      ['a block that does not begin the file', '\n---\ntitle: Returns\n---\n# Heading\n'],
      ['a block behind four marks', '----\ntitle: Returns\n---\n# Heading\n'],
    ])('is not %s, which stays', async (_what, text) => {
      expect((await read(text)).content).toBe(text);
    });

    test('stays if the file has nothing else, and gives the title', async () => {
      const text = '---\ntitle: Returns\n---\n\n';
      expect(await read(text)).toEqual({ title: 'Returns', content: text });
      expect((await read('---\nlayout: page\n---')).title).toBe('page');
    });

    test.each(['page.txt', 'page.html'])('stays in %s', async (name) => {
      const text = '---\ntitle: Returns\n---\nText.';
      expect(await read(text, name)).toEqual({ title: 'page', content: text });
    });
  });

  describe('the title of front matter', () => {
    const titleOf = async (line: string) => (await read(`---\n${line}\n---\n# Heading`)).title;

    test.each([
      ['a plain text', 'title:   Returns & refunds  # draft', 'Returns & refunds'],
      ['a text with a number sign', 'title: C#', 'C#'],
      ['a number', 'title: 2026', '2026'],
      ['in double quotes', 'title: "Returns: \\"shoes\\" \\u00e4" # draft', 'Returns: "shoes" ä'],
      ['in single quotes', "title: 'It''s: # shoes'", "It's: # shoes"],
      ["in Unicode's composed form", 'title: o\u0308l', '\u00f6l'],
      ['at most 200 characters', `title: ${'😀'.repeat(300)}`, '😀'.repeat(200)],
      ['without control characters', 'title: "a\\u0007\\nb"', 'a b'],
      ['the first', 'title: One\ntitle: Two', 'One'],
    ])('is %s', async (_what, line, title) => {
      expect(await titleOf(line)).toBe(title);
    });

    test.each([
      'title:',
      'title: Returns: no',
      'title: ""',
      'title: "\u200b"',
      'title: ~',
      'title: null',
      'title: # comment',
      'title: |\n  Returns',
      'title: >-\n  Returns',
      'title: Returns\n  and refunds',
      'title: [a, b]',
      'title: {a: b}',
      'title: *anchor',
      'title: &anchor a',
      'title: !!str a',
      'title: "Returns',
      'title: "Returns" and more',
      'title: "\\x41"',
      "title: 'Returns",
      "title: 'a'b'",
      'Title: Returns',
      '  title: Returns\nlayout: page',
      'page:\n  title: Returns',
      '"title": Returns',
    ])('is not read from %j', async (line) => {
      expect(await titleOf(line)).toBe('Heading');
    });
  });
});
