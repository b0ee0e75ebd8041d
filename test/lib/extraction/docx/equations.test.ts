/** Equations of a DOCX are text in one line. */

import { expect, test } from 'vitest';
import { linesIn, par, run } from '../../../support/docx-parts.ts';

const t = (text: string) => `<m:r><m:rPr><m:sty m:val="p"/></m:rPr><m:t>${text}</m:t></m:r>`;
const el = (name: string, ...inside: string[]) => `<m:${name}>${inside.join('')}</m:${name}>`;
const e = (...inside: string[]) => el('e', ...inside);
const property = (name: string, value: string) => `<m:${name} m:val="${value}"/>`;
const fraction = (num: string, den: string) => el('f', el('num', num), el('den', den));

test.each([
  ['a/b', fraction(t('a'), t('b'))],
  ['(a+1)/2', fraction(t('a+1'), t('2'))],
  ['(a/b)/c', fraction(fraction(t('a'), t('b')), t('c'))],
  ['(n¦k)', el('d', e(el('f', el('fPr', property('type', 'noBar')), el('num', t('n')), el('den', t('k')))))],
  ['x^2', el('sSup', e(t('x')), el('sup', t('2')))],
  ['x_i y', `${el('sSub', e(t('x')), el('sub', t('i')))}${t('y')}`],
  ['x_i^(n+1)', el('sSubSup', e(t('x')), el('sub', t('i')), el('sup', t('n+1')))],
  ['_2^4X', el('sPre', el('sub', t('2')), el('sup', t('4')), e(t('X')))],
  ['√(x+1)', el('rad', el('radPr', property('degHide', '1')), el('deg'), e(t('x+1')))],
  ['³√(x)', el('rad', el('deg', t('3')), e(t('x')))],
  [
    '∑_(i=1)^n i',
    el('nary', el('naryPr', property('chr', '∑')), el('sub', t('i=1')), el('sup', t('n')), e(t('i'))),
  ],
  ['∫_0 f', el('nary', el('naryPr', property('supHide', '1')), el('sub', t('0')), el('sup'), e(t('f')))],
  [
    '[1, 2; 3, 4]',
    el(
      'd',
      el('dPr', property('begChr', '['), property('endChr', ']')),
      e(el('m', el('mr', e(t('1')), e(t('2'))), el('mr', e(t('3')), e(t('4'))))),
    ),
  ],
  [
    '{x=1; y',
    el(
      'd',
      el('dPr', property('begChr', '{'), property('endChr', '')),
      e(el('eqArr', e(t('x&amp;=1')), e(t('y')))),
    ),
  ],
  ['sin x', el('func', el('fName', t('sin')), e(t('x')))],
  ['lim_(x→0) x', el('func', el('fName', el('limLow', e(t('lim')), el('lim', t('x→0')))), e(t('x')))],
  ['x\u0302', el('acc', e(t('x')))],
  ['x\u0305', el('bar', el('barPr', property('pos', 'top')), e(t('x')))],
])('%s', async (text, math) => {
  expect(await linesIn(par(`${run('with ')}<m:oMath>${math}</m:oMath>${run('.')}`))).toEqual([
    `with ${text}.`,
  ]);
});

test('an equation on a line of its own, and hidden and deleted ones', async () => {
  const math = `<m:oMathPara><m:oMathParaPr><m:jc m:val="left"/></m:oMathParaPr><m:oMath>${t('E=m')}<m:sSup>${e(t('c'))}<m:sup>${t('2')}</m:sup></m:sSup></m:oMath></m:oMathPara>`;
  expect(await linesIn(par(math) + par(`<w:del w:id="1">${math}</w:del>`))).toEqual(['E=mc^2']);
});
