/** Which texts are HTML, and which are Markdown that begins with HTML. */

import { describe, expect, test } from 'vitest';
import { isHtml } from '../../../../lib/readers/html/is-html.ts';

const long = `<!-- ${'a licence, with <p> and -- in it. '.repeat(5000)} -->`;

describe('HTML', () => {
  test.each([
    ['a page', '<!DOCTYPE html>\n<html><body>Hello'],
    ['a page without a doctype', '<html lang="en">\n<head><title>x</title>'],
    ['a page of text', '<html>Hello</html>'],
    ['a head', '<head>\n<meta charset="utf-8">\n</head>\n\ntext'],
    ['a body', '<body class="a">\n\ntext\n\ntext <p>x'],
    ['a title', '<title>Opening hours</title>\n<p>Nine to five.'],
    ['a meta', '<meta charset="utf-8"><p>x'],
    [
      'a part of a page',
      '<section><h2>Opening hours</h2><p>Nine to five.</p><script>\n\n# no\n\n- no\n</script></section>',
    ],
    ['a part behind a long comment', `${long}\n${long}\n<div><p>Nine to five.</p></div>`],
    ['a page behind a long comment', `${long}<html><p>x`],
    [
      'XHTML',
      '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x">\n<html>',
    ],
    [
      'XHTML without a doctype',
      '\ufeff<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body/></html>',
    ],
    ['a part of XHTML', '<?xml version="1.0"?>\n<div xmlns="x">text</div>'],
    ['paragraphs', '<p>One\n\ntwo.</p>\n\n<p>Three.</p>'],
    ['a heading and text', '<h1>Returns</h1>\nWithin 30 days.\n\nContact <a href="/x">us</a>.'],
    ['a list', '<ul>\n<li>a</li>\n\n<li>b</li>\n</ul>'],
    ['a table', '<table>\n<tr><td>- a</td></tr>\n</table>'],
    ['a picture and text', '<img src="a.png"><p>text</p>'],
    ['details', '<details><summary>More</summary><p>text</p></details>'],
    ['inline elements', '<b>Note</b>: closed on <i>Sunday</i>.<br>Else open.'],
    ['a custom element', '<x-card>\n  <p>text</p>\n</x-card>'],
    ['marks within tags', '<p>\n# no heading\n- no item\n</p>\n<p>1. text</p>'],
    ['code with marks', '<pre>\n# comment\n\n- item\n</pre><p>text</p>'],
    [
      'deep text behind empty lines',
      '<div>\n\n        Some text\n\n        more text\n\n    <p>text</p></div>',
    ],
  ])('%s', (_, text) => {
    expect(isHtml(text)).toBe(true);
    expect(isHtml(`\r\n  ${text.replaceAll('\n', '\r\n')}`)).toBe(true);
  });
});

describe('Markdown or text', () => {
  test.each([
    ['details', '<details>\n<summary>More</summary>\n\n- one\n- two\n\n</details>'],
    ['details with text', '<details>\n<summary>More</summary>\n\nSome text.\n\n</details>'],
    ['open details', '<details open>\n\n# Title'],
    ['a picture', '<img src="logo.png" width="200">\n\n# Project\n\nText'],
    ['a picture and text', '<img src="logo.png">\n\nSome text.'],
    ['a picture in a line', '<img src="logo.png"> **Project** is a `tool`.'],
    ['a head in a sentence', '<head> is the element of a page that has its title.'],
    ['a head and its end in a sentence', '<head> and </head> enclose the title.\n\nThe rest is in <body>.'],
    ['a root in a sentence', '<html> is the root of a page.'],
    ['a body in a sentence', '<body> has the content, as <p> and <div>.'],
    ['a title in a sentence', '<title> names a page.'],
    ['a meta in a sentence', '<meta> tags are in the head.'],
    ['a div in a sentence', '<div> is a block, and <span> is not.'],
    [
      'a title in the middle',
      '<h1 align="center">Project</h1>\n\nA **small** tool.\n\n## Install\n\n```sh\nnpm i\n```',
    ],
    [
      'a logo in the middle',
      '<p align="center">\n  <img src="logo.svg">\n</p>\n\n<p align="center">A tool.</p>\n\n# Install\n\n1. a\n2. b',
    ],
    ['a block around Markdown', '<div align="center">\n\n# Title\n\n</div>'],
    ['an anchor', '<a name="top"></a>\n\n# Title\n\n[Link](x)'],
    ['a break', '<br>\n\n# Title'],
    ['a comment', '<!-- markdownlint-disable -->\n# Title\n<p>x</p>'],
    ['a long comment', `${long}\n\nText with <b>tags</b>.`],
    ['a comment that does not end', '<!-- <p>text</p>'],
    [
      'a table of Markdown behind one of HTML',
      '<table><tr><td>a</td></tr></table>\n\n| a | b |\n|---|---|\n| 1 | 2 |',
    ],
    ['text', 'Nine to five.<br><p>And on Sunday.</p>'],
    ['an address', '<https://acme.example> is our page.'],
    ['a type', '<T> is a parameter.'],
    ['a heart', '<3'],
    ['XML', '<?xml version="1.0"?><note><to>Bob</to></note>'],
    ['a drawing', '<svg xmlns="http://www.w3.org/2000/svg"><text>a</text></svg>'],
    ['nothing', ''],
    ['a tag that does not end', '<p'],
  ])('%s', (_, text) => {
    expect(isHtml(text)).toBe(false);
    expect(isHtml(text.replaceAll('\n', '\r\n'))).toBe(false);
  });
});

test.each([
  ['<!--', '<!--'],
  ['comments', '<!---->'],
  ['declarations', '<?'],
  ['tags', '<p '],
  ['a tag', '<'],
  ['quotation marks', '<p "'],
  ['lines', '<p>\n\n'],
  ['scripts', '<div><script>'],
  ['white space', ' '],
  ['marks', '<div>\n\n`[`['],
  ['numbers', '<div>\n\n1'],
])('the worst text of %s takes linear time', (_, unit) => {
  const begun = process.cpuUsage().user;
  isHtml(unit.repeat(25_000_000 / unit.length));
  isHtml(`<p>${unit.repeat(25_000_000 / unit.length)}`);
  expect(process.cpuUsage(undefined).user - begun).toBeLessThan(3e6);
});
