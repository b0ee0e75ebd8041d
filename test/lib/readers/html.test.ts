/** HTML as text: block elements separate text, and omitted parts are reported. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { htmlSections, TooComplex } from '../../../lib/readers/html.ts';

const textOf = (html: string) =>
  htmlSections(html)
    .sections.map(({ text }) => text)
    .join('\n')
    .trim();
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
    ['a caption of a figure', '<figure>alpha<figcaption>beta</figcaption></figure>', 'alpha\nbeta'],
    ['a line break', 'alpha<br>beta', 'alpha\nbeta'],
    ['a picture', 'alpha<img src="x">beta', 'alpha beta'],
    ['cells', '<table><tr><td>alpha<td>beta<tr><td>gamma</table>', '| alpha | beta |\n|---|---|\n| gamma |'],
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
  expect(textOf(html)).toBe('Price List\nUnit Price\tiPhone');
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
      'Prices\n| a | b |\n|---|---|\n| 1 | 2 |',
    ],
    [
      'with cells over rows and columns',
      ['<th>a<th colspan=2>b', '<td rowspan=2>1<td>2<td>3', '<td>4<td>5'],
      '| a | b |  |\n|---|---|---|\n| 1 | 2 | 3 |\n| 1 | 4 | 5 |',
    ],
    ['with a pipe', ['<th>a<th>b', '<td>x|y<td>2'], '| a | b |\n|---|---|\n| x\\|y | 2 |'],
    [
      'with a caption',
      ['<th>a<th>b', '<td>1<td>2<caption>Fees</caption>'],
      'Fees\n| a | b |\n|---|---|\n| 1 | 2 |',
    ],
    ['unless a cell has a list', ['<th>a<th>b', '<td><ul><li>1</ul><td>2'], 'a\tb\n\n* 1\n\n2'],
    ['unless it has one column', ['<th>a', '<td>1'], 'a\n1'],
  ])('%s', (_, rows, text) => {
    expect(textOf(html(rows))).toBe(`x\n\n${text}\n\ny`);
  });

  test('in bounded size, whatever its cells span', () => {
    const rows = Array.from({ length: 5000 }, () => '<td colspan=999 rowspan=999>a<td>b');
    expect(textOf(html(rows)).length).toBeLessThan(100_000);
    // One row of many cells does not make the others wider.
    const wide = ['<td>'.repeat(20_000), ...Array.from({ length: 20_000 }, () => '<td>a')];
    expect(textOf(html(wide)).length).toBeLessThan(400_000);
  });

  test('in linear time, however tables are nested', () => {
    expect(textOf('<table><tr><td>a<td>'.repeat(5000))).toContain('a');
  });
});

test('a cell with a huge colspan and rowspan is one cell', () => {
  expect(textOf('<table><tr><td colspan=25000 rowspan=25000>x</td></tr></table>')).toBe('x');
});

test('headings start sections; text that only looks like a heading does not', () => {
  const { sections } = htmlSections(
    '<p>before</p><h1>Opening <b>hours</b></h1>on weekdays<h2>Sunday</h2><pre># closed\n```</pre><h2>Monday</h2>nine',
  );
  expect(sections).toEqual([
    { heading: '', text: 'before' },
    { heading: 'Opening hours', text: '# Opening hours\non weekdays', level: 1 },
    { heading: 'Opening hours › Sunday', text: '## Sunday\n# closed\n```', level: 2 },
    { heading: 'Opening hours › Monday', text: '## Monday\nnine', level: 2 },
  ]);
});

test('white space collapses, except where it is shown', () => {
  expect(textOf('<p> a \n b<b> c</b> </p><pre>\n  x\n   <code>y  z</code></pre>')).toBe(
    'a b c\n\n  x\n   y  z',
  );
});

test('list items keep their markers', () => {
  expect(textOf('<ul><li>a<li><p>b</ul><ol><li>c<li><li>d</ol>e')).toBe('* a\n\n* b\n\n1. c\n3. d\n\ne');
});

test.each([300, 5_000, 40_000])('text nested in %i elements is read', (levels) => {
  expect(textOf(`${'<div>'.repeat(levels)}deep`)).toBe('deep');
  expect(textOf(`${'<b>'.repeat(levels)}deep`)).toBe('deep');
});

test('omitted parts are reported; scripts and styles are not text', () => {
  const { sections, omittedCounts: leftOut } = htmlSections(
    '<head><title>t</title></head><nav>menu</nav><script>s()</script><style>s</style><template>t</template>' +
      '<p>text</p><nav>foot</nav><iframe>frame</iframe><noscript>without scripts</noscript>',
  );
  expect(sections).toEqual([{ heading: '', text: 'text\n\nwithout scripts' }]);
  expect([...leftOut]).toEqual([
    ['nav', 2],
    ['iframe', 1],
  ]);
});

test('markup that expands enormously is refused with a reason', () => {
  // Each paragraph begins all the formatting again that was never closed: 5000 times 5000 elements.
  const open = Array.from({ length: 5000 }, (_, index) => `<b ${index}>`).join('');
  expect(() => htmlSections(`<p>${open}${'</p><p>x'.repeat(5000)}`)).toThrow(TooComplex);
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
