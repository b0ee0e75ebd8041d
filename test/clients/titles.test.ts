/** The titles of files that become documents. */

import { describe, expect, test } from 'vitest';
import { describeReaders } from '../support/client/readers.ts';

describeReaders((read) => {
  describe('the title of Markdown', () => {
    test.each([
      ['the first heading', 'Some text.\n\n## Returns ##\n\n# Later', 'Returns'],
      ['an underlined heading', 'Returns\n=======\n', 'Returns'],
      ['a heading behind front matter', '---\nlayout: page\n# not: this\n---\n# Returns', 'Returns'],
      [
        'a heading behind a fenced block',
        '```sh\n# install\n```\n~~~~\n# b\n~~~\n~~~~\n# Returns',
        'Returns',
      ],
      ['a heading behind indented code', '    # code\n\n# Returns', 'Returns'],
      ['a heading behind a comment', '<!--\n# draft\n-->\n# Returns', 'Returns'],
      [
        'its text without marks',
        '# **Returns** of [`shoes`](https://example.com/a) \u0007',
        'Returns of shoes',
      ],
      ['at most 200 characters', `# ${'😀'.repeat(300)}`, '😀'.repeat(200)],
      ['its composed form', '# o\u0308l', '\u00f6l'],
      ['the name of the file without a heading', '#hashtag\n\n* item\n---\n\n| a |\n---', 'page'],
      ['the name of the file for an empty heading', '# \u200b\n#', 'page'],
    ])('is %s', async (_what, content, title) => {
      expect((await read('folder/page.md', content)).title).toBe(title);
    });
  });

  describe('the title of HTML', () => {
    test.each([
      [
        'the first h1',
        '<title>Shop</title><h1 class="a">Returns &amp; <em>refunds</em></h1>',
        'Returns & refunds',
      ],
      ['the title without an h1', '<TITLE>\n Returns&#8211;more </TITLE><h2>b</h2>', 'Returns–more'],
      ['not in a script or a comment', '<!-- <h1>a</h1> --><script>"<h1>b</h1>"</script><h1>c</h1>', 'c'],
      ['the h1 that has text', '<h1> </h1><h10>b</h10><h1>c</h1>', 'c'],
      ['behind letters whose lower case is longer', '<p>İİİİİİİİİİ</p><H1>a</H1>', 'a'],
      ['not white space that only one language knows', '<h1>\u001c\u0085\ufeffa\ufeff\u001f</h1>', 'a'],
      ['the name of the file for neither', '<p>a', 'page'],
    ])('is %s', async (_what, content, title) => {
      expect((await read('page.html', content)).title).toBe(title);
    });
  });

  test('the title of plain text is the name of the file', async () => {
    expect((await read('a/page.txt', '# a')).title).toBe('page');
  });

  test.each([
    ['page.html', '<h1'],
    ['page.html', '<h1>'],
    ['page.html', '<h1></h1>'],
    ['page.html', '<h10>'],
    ['page.html', '<h10></h10>'],
    ['page.html', '<!--'],
    ['page.html', '<script></script'],
    ['page.html', `<h1>${'<'.repeat(10)}</h1>`],
    ['page.md', '# '],
    ['page.md', '```\n'],
    ['page.md', '['],
    ['page.md', '![]('],
    ['page.md', '\u200b'],
    ['page.md', '---\n'],
    ['page.md', '---\na: '],
    ['page.md', `---\ntitle: "${'\\\\'.repeat(100)}`],
  ])('the largest %s of %j takes no time', async (name, part) => {
    const content = `# ${part.repeat(Math.floor((200 * 1024) / part.length))}`;
    for (const text of [content, content.slice(2)])
      expect((await read(name, text)).tookMs).toBeLessThan(2000);
  });
});
