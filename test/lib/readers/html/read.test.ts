/** HTML as blocks, and their Markdown: block elements separate text, and omitted parts are reported. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Block } from '../../../../lib/readers/blocks.ts';
import { TooComplex } from '../../../../lib/readers/html/parse.ts';
import { readHtml } from '../../../../lib/readers/html/read.ts';
import { markdownOf } from '../../../../lib/readers/markdown.ts';
import { readDocument } from '../../../../lib/search/pieces/read-document.ts';

function read(html: string, elementLimit?: number) {
  const blocks: Block[] = [];
  const notes = readHtml(html, (block) => void blocks.push(block), elementLimit);
  return { blocks, notes };
}
const textOf = (html: string) => markdownOf(read(html).blocks);
const wordsOf = (html: string) => textOf(html).split(/\s+/).filter(Boolean);

/** Elements that the standard's style sheet shows as blocks, list items or parts of tables, and some boxes. */
const blocks = (
  'address article aside blockquote button center details dialog dd dir div dl dt fieldset figcaption figure footer ' +
  'form h1 h2 h3 h4 h5 h6 header hgroup legend li listing main menu meter object ol option optgroup output-list p ' +
  'plain-text pre progress search section summary textarea ul x-card my-element video xmp'
).split(' ');

describe('block elements separate words', () => {
  test.each(blocks)('<%s>', (name) => {
    const wrapper = name === 'option' || name === 'optgroup' ? 'select' : 'div';
    const html = `<${wrapper}><${name}>alpha</${name}><${name}>beta</${name}></${wrapper}>gamma`;
    expect(wordsOf(html).filter((word) => /^\p{L}/u.test(word))).toEqual(['alpha', 'beta', 'gamma']);
  });

  test.each([
    ['a definition list', '<dl><dt>alpha</dt><dd>beta</dd></dl>', 'alpha\nbeta'],
    ['a summary', '<details><summary>alpha</summary>beta</details>', 'alpha\nbeta'],
    ['a legend', '<fieldset><legend>alpha</legend>beta</fieldset>', 'alpha\nbeta'],
    ['a caption of a figure', '<figure>alpha<figcaption>beta</figcaption></figure>', 'alpha\n\nbeta'],
    ['a line break', 'alpha<br>beta', 'alpha\nbeta'],
    [
      'an empty line',
      'alpha<br><br>beta<div><br></div>gamma<br></div>delta',
      'alpha\n\nbeta\n\ngamma\ndelta',
    ],
    ['a picture', 'alpha<img src="x">beta', 'alpha beta'],
    ['the text of a picture', 'alpha<img src="x" alt="in\nred">beta', 'alpha in red beta'],
    ['the file name of a picture', 'alpha<img alt="IMG_1.JPG">beta', 'alpha beta'],
    ['a picture for browsers without scripts', '<img alt="a"><noscript><img alt="a"></noscript>', 'a'],
    [
      'pictures in cells',
      '<table><tr><th>Plan<th>Export<tr><td>Free<td><img alt="no"><tr><td>Pro<td><img alt="yes"></table>',
      '| Plan | Export |\n|---|---|\n| Free | no |\n| Pro | yes |',
    ],
    ['done and open tasks', '<li><input type=checkbox checked>a<li><input type=checkbox>b', '* ☒ a\n* ☐ b'],
    [
      'values of fields',
      '<table><tr><td>Name<td><input value="Robin"><tr><td>Word<td><input type=password value=x></table>',
      '| Name | Robin |\n|---|---|\n| Word |  |',
    ],
    [
      'no values of fields that are not shown',
      'a<input type=hidden value=b><input type=submit value=c>',
      'a',
    ],
    ['raised numbers', '500<sup>1</sup> for 10<sup><b>6</b></sup>', '500¹ for 10⁶'],
    ['lowered numbers', 'H<sub>2</sub>O, <sup>1</sup>/<sub>2</sub>', 'H₂O, ¹/₂'],
    ['raised words', '1<sup>st</sup>, x<sup>[1]</sup>', '1st, x[1]'],
    [
      'cells',
      '<table><tr><td>alpha<td>beta<tr><td>gamma</table>',
      '| alpha | beta |\n|---|---|\n| gamma |  |',
    ],
  ])('%s', (_, html, text) => {
    expect(textOf(html)).toBe(text);
  });
});

test.each(['a', 'b', 'code', 'em', 'font', 'mark', 'span', 'sub', 'wbr'])(
  '<%s> is in the middle of a word',
  (name) => {
    expect(textOf(`al<${name}>ph</${name}>a`)).toBe('alpha');
  },
);

test('a table keeps its caption and the case of its headings', () => {
  const html = '<table><caption>Price List</caption><tr><th>Unit Price</th><th>iPhone</th></tr></table>';
  expect(textOf(html)).toBe('Price List\n\n| Unit Price | iPhone |\n|---|---|');
});

describe('a table with data becomes a Markdown table', () => {
  const html = (rows: readonly string[]) => `x<table>${rows.map((row) => `<tr>${row}`).join('')}</table>y`;
  test.each([
    [
      'with paragraphs and empty cells',
      ['<th><p>Size</p><th>Price<br>net', '<td><p>S</p><td>', '<td>M<td> 4\n5 '],
      '| Size | Price net |\n|---|---|\n| S |  |\n| M | 4 5 |',
    ],
    [
      'with a title',
      ['<th colspan=2>Prices', '<th>a<th>b', '<td>1<td>2'],
      'Prices\n\n| a | b |\n|---|---|\n| 1 | 2 |',
    ],
    [
      'with cells over rows and columns',
      ['<th>a<th colspan=2>b', '<td rowspan=2>1<td>2<td>3', '<td>4<td>5'],
      '| a | b | b |\n|---|---|---|\n| 1 | 2 | 3 |\n| 1 | 4 | 5 |',
    ],
    ['with a pipe', ['<th>a<th>b', '<td>x|y<td>2'], '| a | b |\n|---|---|\n| x\\|y | 2 |'],
    [
      'with a caption',
      ['<th>a<th>b', '<td>1<td>2<caption>Fees</caption>'],
      'Fees\n\n| a | b |\n|---|---|\n| 1 | 2 |',
    ],
    [
      'with lists',
      ['<th>a<th>b', '<td><ul><li>1<li><p>2</ul><td><ol start=3><li>x<li>y</ol>z'],
      '| a | b |\n|---|---|\n| • 1 • 2 | 3. x 4. y z |',
    ],
    [
      'with tables in cells',
      ['<th>a<th>b', '<td>1<td><table><tr><td>S<td>4<tr><td>M<td>5</table>net'],
      '| a | b |\n|---|---|\n| 1 | S 4; M 5 net |',
    ],
    [
      'with code, headings and captions in cells',
      [
        '<th><h3>a</h3><th><h3>b</h3>',
        '<td><pre>x\n\ny</pre><td><figure>1<figcaption>2</figcaption></figure>',
      ],
      '| a | b |\n|---|---|\n| x y | 1 2 |',
    ],
    [
      'with rows that span all columns',
      ['<th>a<th>b<th>c', '<td colspan=99>Fruit', '<td>1<td>2', '<td rowspan=0>3<td>4<td>5', '<td>6'],
      '| a | b | c |\n|---|---|---|\n| Fruit | Fruit | Fruit |\n| 1 | 2 |  |\n| 3 | 4 | 5 |\n| 3 | 6 |  |',
    ],
    [
      'with an empty corner, and empty rows',
      ['<th><th>net', '<td colspan=2>', '<td>S<td>4', '<td><td>', '<td>M<td>5'],
      '|  | net |\n|---|---|\n| S | 4 |\n| M | 5 |',
    ],
    [
      'with a foot above its body',
      ['<th>a<th>b<tfoot><tr><td>sum<td>3</tfoot><tbody>', '<td>1<td>2'],
      '| a | b |\n|---|---|\n| 1 | 2 |\n| sum | 3 |',
    ],
    [
      'without what is not shown',
      ['<th>a<th>b<th hidden>c', '<td>1<td>2<td style="x:y; Display : NONE">3', '<td hidden>4', '<td>5<td>6'],
      '| a | b |\n|---|---|\n| 1 | 2 |\n| 5 | 6 |',
    ],
    [
      'unless a cell has a heading and a text',
      ['<td><h2>a</h2>one<td><h2>b</h2>two<ul><li>three</ul>', '<td>4<td>5'],
      '## a\n\none\n\n## b\n\ntwo\n\n* three\n\n4\n5',
    ],
    [
      'unless it is one row with code',
      ['<td><pre>1\n2</pre><td><pre>x\ny</pre>'],
      '```\n1\n2\n```\n\n```\nx\ny\n```',
    ],
    ['unless one column has text', ['<td><td>a', '<td> <td>1'], 'a\n1'],
    [
      'also in one that lays out a page',
      ['<td><table><tr><th>a<th>b<tr><td>1<td>2</table>', '<td>c'],
      '| a | b |\n|---|---|\n| 1 | 2 |\n\nc',
    ],
    ['unless it has one column', ['<th>a', '<td>1'], 'a\n1'],
  ])('%s', (_, rows, text) => {
    expect(textOf(html(rows))).toBe(`x\n\n${text}\n\ny`);
  });

  test('in bounded size, whatever its cells span', () => {
    const rows = Array.from({ length: 5000 }, () => '<td colspan=999 rowspan=999>a<td>b');
    expect(textOf(html(rows)).length).toBeLessThan(400_000);
    // One row of many cells does not make the others wider.
    const wide = ['<td>'.repeat(20_000), ...Array.from({ length: 20_000 }, () => '<td>a')];
    expect(textOf(html(wide)).length).toBeLessThan(1_000_000);
  });

  test('in linear time, however tables are nested', () => {
    expect(textOf('<table><tr><td>a<td>'.repeat(5000))).toContain('a');
  });
});

test('a cell with a huge colspan and rowspan is one cell', () => {
  expect(textOf('<table><tr><td colspan=25000 rowspan=25000>x</td></tr></table>')).toBe('x');
});

test('headings start sections; text that only looks like a heading does not', () => {
  const html =
    '<p>before</p><h1>Opening <b>hours</b></h1>on weekdays<h2>Sunday</h2><pre># closed\n```</pre><h2>Monday</h2># nine';
  const { chunks } = readDocument({ title: 't', content: html, mimeType: 'text/html' });
  expect(chunks).toEqual([
    { heading: '', text: 'before' },
    { heading: 'Opening hours', text: '# Opening hours\n\non weekdays', level: 1 },
    {
      heading: 'Opening hours › Sunday',
      text: '## Sunday\n\n~~~\n# closed\n```\n~~~',
      level: 2,
    },
    { heading: 'Opening hours › Monday', text: '## Monday\n\n\\# nine', level: 2 },
  ]);
  expect(read(html).blocks).toContainEqual({ type: 'code', text: '# closed\n```' });
});

test('white space collapses, except where it is shown', () => {
  expect(textOf('<p> a \n b<b> c</b> </p><pre>\n  x\n   <code>y  z</code></pre>')).toBe(
    'a b c\n\n```\n  x\n   y  z\n```',
  );
});

test('list items keep their markers', () => {
  expect(textOf('<ul><li>a<li><p>b</ul><ol><li>c<li><li>d</ol>e')).toBe('* a\n* b\n\n1. c\n3. d\n\ne');
});

describe('items', () => {
  test.each([
    ['start', '<ol start=3><li>a<li>b</ol>', '3. a\n4. b'],
    ['value', '<ol><li>a<li value=7>b<li>c</ol>', '1. a\n7. b\n8. c'],
    ['reversed', '<ol reversed><li>a<li>b<li>c</ol>', '3. a\n2. b\n1. c'],
    ['reversed with start', '<ol reversed start=0><li>a<li>b</ol>', '0. a\n-1. b'],
    ['letters', '<ol type=a start=26><li>a<li>b</ol>', 'z. a\naa. b'],
    ['capital letters', '<ol type=A start=0><li>a<li>b</ol>', '0. a\nA. b'],
    ['roman numerals', '<ol type=i start=4><li>a<li>b</ol>', 'iv. a\nv. b'],
    ['capital roman numerals', '<ol type=I start=1994><li>a</ol>', 'MCMXCIV. a'],
    ['a type of an item', '<ol><li>a<li type=a>b</ol>', '1. a\nb. b'],
    ['a style', '<ol style="list-style-type: lower-alpha"><li>a</ol>', 'a. a'],
    ['numbers that are none', '<ol start=x><li value="">a</ol>', '1. a'],
    ['large numbers', `<ol type=i start=99999999999999999999><li>a</ol>`, '2147483647. a'],
    [
      'nested lists',
      '<ol><li>a<ul><li>b<ol type=a><li>c</ol></ul>a goes on<li>d</ol>',
      '1. a\n   * b\n     a. c\n\n   a goes on\n2. d',
    ],
    ['a list in a list', '<ul><li>a<ul><ul><li>b</ul></ul></ul>', '* a\n    * b'],
    ['paragraphs and breaks', '<ul><li><p>a<p>b<br>c<div>d</div></ul>', '* a\n  b\n  c\n  d'],
    ['an item without a list', '<li>a', '* a'],
    ['what is not shown is not counted', '<ol><li hidden>a<li style="display:none">b<li>c</ol>', '1. c'],
    [
      'a heading in an item',
      '<ol><li><h2>a</h2>b<li><p>c<h2>d</h2>e</ol>',
      '## 1. a\n\nb\n\n2. c\n\n## d\n\ne',
    ],
    [
      'code and tables in items',
      '<ol><li><pre>a</pre>b<li>c<table><tr><td>1<td>2</table></ol>',
      '1.\n\n```\na\n```\n\nb\n\n2. c\n\n| 1 | 2 |\n|---|---|',
    ],
  ])('%s', (_, html, text) => {
    expect(textOf(html)).toBe(text);
  });
});

describe('code', () => {
  test.each([
    ['of elements', '<pre>\na\n  <b>b</b> <span># c</span>\n\n</pre>', '```\na\n  b # c\n```'],
    [
      'of lines in blocks',
      '<pre><div>a</div><div>b\n</div><div>c</div>d<br><br>e</pre>',
      '```\na\nb\nc\nd\n\ne\n```',
    ],
    ['with a heading and a table', '<pre><h1>a</h1><table><tr><td>b<td>c</table></pre>', '```\na\nb\nc\n```'],
  ])('%s', (_, html, text) => {
    expect(textOf(html)).toBe(text);
  });

  test('is its own block, and inline code is text', () => {
    expect(read('a <code># b</code><pre>c</pre>').blocks).toEqual([
      { type: 'paragraph', text: 'a # b' },
      { type: 'code', text: 'c' },
    ]);
  });
});

describe('what is not shown is not read', () => {
  test.each([
    ['hidden', '<p hidden>no</p><p hidden="">no<p>yes'],
    [
      'display:none',
      '<p style="color:red;display: none !important">no</p><div style="display:none"><p>no</div>yes',
    ],
    ['visibility:hidden', '<p style="visibility:hidden">no</p>yes'],
    ['a template', '<template><p>no</p></template>yes'],
    ['a conditional comment', '<!--[if mso]><p>no</p><![endif]--><![if !mso]>yes<![endif]>'],
    ['a title of a picture', '<svg><title>no</title></svg>yes'],
    ['a hidden menu', '<nav hidden>no</nav>yes'],
  ])('%s', (_, html) => {
    const { blocks, notes } = read(html);
    expect(blocks).toEqual([{ type: 'paragraph', text: 'yes' }]);
    expect(notes).toEqual([]);
  });

  test.each([
    ['hidden until it is found', '<p hidden="until-found">yes</p>'],
    ['a hidden page, which a script shows', '<body style="display:none" hidden>yes'],
    ['another display', '<p style="display:block; x-display:none; content:\'display:none\'">yes</p>'],
  ])('but %s', (_, html) => {
    expect(textOf(html)).toBe('yes');
  });
});

test('ruby has its reading in parentheses once, and soft hyphens and no-break spaces are not seen', () => {
  expect(textOf('<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>字')).toBe('漢(かん)字');
  expect(textOf('manu&shy;facturing &nbsp; 5&nbsp;€<p>&nbsp;</p>')).toBe('manufacturing 5 €');
});

test('an unknown part of a page is a caption, a heading or a paragraph as it is shown', () => {
  expect(
    read('<figure><img><figcaption><p>a<p>b</figcaption></figure><h4>c<br>d</h4><x-y>e</x-y>').blocks,
  ).toEqual([
    { type: 'caption', text: 'a b' },
    { type: 'heading', level: 4, text: 'c d' },
    { type: 'paragraph', text: 'e' },
  ]);
});

test.each([300, 5_000, 40_000])('text nested in %i elements is read', (levels) => {
  expect(textOf(`${'<div>'.repeat(levels)}deep`)).toBe('deep');
  expect(textOf(`${'<b>'.repeat(levels)}deep`)).toBe('deep');
});

test('omitted parts are reported; scripts and styles are not text', () => {
  const { blocks, notes } = read(
    '<head><title>t</title></head><nav>menu</nav><script>s()</script><style>s</style><template>t</template>' +
      '<p>text</p><nav>foot</nav><iframe>frame</iframe><noscript>without scripts</noscript>',
  );
  expect(blocks).toEqual([
    { type: 'paragraph', text: 'text' },
    { type: 'paragraph', text: 'without scripts' },
  ]);
  expect(notes).toEqual([{ code: 'text_left_out', count: 3 }]);
});

test('markup that expands enormously is refused with a reason', () => {
  // Each paragraph begins all the formatting again that was never closed: 5000 times 5000 elements.
  const open = Array.from({ length: 5000 }, (_, index) => `<b ${index}>`).join('');
  expect(() => read(`<p>${open}${'</p><p>x'.repeat(5000)}`)).toThrow(TooComplex);
});

test('any markup: every word between tags is found, in order', () => {
  const tag = fc.constantFrom(
    'div',
    'p',
    'b',
    'table',
    'tr',
    'td',
    'h1',
    'li',
    'ul',
    'dl',
    'x-y',
    'button',
    'a',
  );
  const part = fc.oneof(
    tag.map((name) => `<${name}>`),
    tag.map((name) => `</${name}>`),
    fc.nat(999).map((number) => `w${number} `),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
      const written = parts.join('').match(/w\d+/g) ?? [];
      // The standard moves text that stands between the parts of a table in front of it.
      expect((textOf(parts.join('')).match(/w\d+/g) ?? []).sort()).toEqual([...written].sort());
    }),
  );
});

describe('the worst markup of an upload takes linear time', { tags: ['long'] }, () => {
  const many = 1_000_000;
  test.each<[string, () => string, number]>([
    ['a million items', () => `<ol reversed>${'<li>a'.repeat(many)}`, 12 * many],
    ['lists in lists', () => '<ul><li>a'.repeat(many), 80 * many],
    ['a table of 100,000 cells', () => `<table>${`<tr>${'<td>a|'.repeat(100)}`.repeat(1000)}`, many],
    ['a row of a million cells', () => `<table><tr>${'<td>a'.repeat(many)}<tr><td>b`, 12 * many],
    [
      'cells that cover as much as they can',
      () => `<table>${'<tr><td colspan=1000 rowspan=0>aaaa<td>b'.repeat(100_000)}`,
      12 * many,
    ],
    [
      'cells below those that cover 65,534 rows',
      () => `<table><tr>${'<td rowspan=65534>a'.repeat(20_000)}${'<tr><td>'.repeat(20_000)}`,
      2 * many,
    ],
    ['tables in tables', () => '<table><tr><td>a<td>b<tr><td>c<td>'.repeat(200_000), 10 * many],
    [
      'tables in one table',
      () => `<table><tr><td>x<td>y<tr><td>z<td>${'<table><tr><td>a'.repeat(300_000)}`,
      10 * many,
    ],
    ['headings in headings', () => '<h1><b>a'.repeat(100_000), 10 * many],
    ['code in blocks', () => `<pre>${'<div>a'.repeat(many)}`, 10 * many],
    ['entities', () => '&amp;&NotEqualTilde;&#1114111;&x'.repeat(800_000), 25 * many],
    ['line breaks', () => 'a<br>'.repeat(2 * many), 10 * many],
    ['ruby', () => '<ruby>a<rt>b'.repeat(500_000), 10 * many],
    ['styles', () => `<p style="${';'.repeat(10 * many)}display:none">a</p>b`, 1],
    ['soft hyphens and spaces', () => '&shy; \u00a0'.repeat(2 * many), 0],
  ])('%s', (_, html, length) => {
    const source = html();
    const begun = process.cpuUsage().user;
    const { blocks } = read(source, 3_000_000);
    expect(markdownOf(blocks).length).toBeLessThanOrEqual(length);
    expect(process.cpuUsage(undefined).user - begun).toBeLessThan(40e6);
  });
});
