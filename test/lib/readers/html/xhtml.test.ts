/** XHTML as HTML. */

import { expect, test } from 'vitest';
import { asHtml } from '../../../../lib/readers/html/xhtml.ts';

const declaration = '<?xml version="1.0"?>';

test.each([
  ['<p/>a<br/><img src="x"/>', '<p></p>a<br/><img src="x"/>'],
  ['<div class="a>b/>c" title=\'"/>\'/>d', '<div class="a>b/>c" title=\'"/>\'></div>d'],
  ['<!-- <p/> --><p />', '<!-- <p/> --><p ></p>'],
  ['<![CDATA[a < b & c <p/>]]>', 'a &lt; b &amp; c &lt;p/>'],
  ['<![CDATA[a', 'a'],
  ['<p', '<p'],
  ['</p><', '</p><'],
])('%s', (source, html) => {
  expect(asHtml(`\ufeff\n${declaration}${source}`)).toBe(`\ufeff\n${declaration}${html}`);
  expect(asHtml(source)).toBe(source);
});

test.each(['<', '<p', '<p/>', '<p "', '<p \'">', '<!--', '<![CDATA[', '<![CDATA[]]>', '"', '<a b="'])(
  'the worst XHTML of %s takes linear time',
  (unit) => {
    const begun = process.cpuUsage().user;
    asHtml(declaration + unit.repeat(4_000_000 / unit.length));
    expect(process.cpuUsage(undefined).user - begun).toBeLessThan(5e6);
  },
);
