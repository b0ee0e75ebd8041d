/** The markers of the items of a list, as a browser shows them. */

import { attributeOf, type Element, styleOf } from './parse.ts';

export type List = { element: Element; isOrdered: boolean; next: number; step: number };

export const bullet = '•';

/** @returns the state of a list before its first item */
export function openList(element: Element): List {
  const isOrdered = element.tagName === 'ol';
  const step = isOrdered && attributeOf(element, 'reversed') !== undefined ? -1 : 1;
  const first = step === 1 ? 1 : element.childNodes.filter(({ nodeName }) => nodeName === 'li').length;
  return { element, isOrdered, next: integerIn(attributeOf(element, 'start')) ?? first, step };
}

/** @returns the marker of the next item of the list, and counts the item */
export function nextMarker(list: List | undefined, item: Element): string {
  if (!list?.isOrdered) return bullet;
  const number = integerIn(attributeOf(item, 'value')) ?? list.next;
  list.next = number + list.step;
  return `${numeral(number, formatOf(item) ?? formatOf(list.element))}.`;
}

/** An integer of 32 bits, as in HTML. */
function integerIn(value: string | undefined): number | undefined {
  const number = Number.parseInt(value?.trim().slice(0, 12) ?? '', 10);
  return Number.isNaN(number) ? undefined : Math.max(-(2 ** 31), Math.min(number, 2 ** 31 - 1));
}

const formats: Readonly<Record<string, string>> = {
  'lower-alpha': 'a',
  'lower-latin': 'a',
  'upper-alpha': 'A',
  'upper-latin': 'A',
  'lower-roman': 'i',
  'upper-roman': 'I',
  decimal: '1',
};

function formatOf(element: Element): string | undefined {
  const style = styleOf(element, 'list-style-type') ?? styleOf(element, 'list-style')?.split(' ', 1)[0];
  return formats[style ?? ''] ?? attributeOf(element, 'type');
}

/** @param format as in the attribute `type` */
function numeral(number: number, format: string | undefined): string {
  switch (format) {
    case 'a':
      return letters(number);
    case 'A':
      return letters(number).toUpperCase();
    case 'i':
      return roman(number).toLowerCase();
    case 'I':
      return roman(number);
    default:
      return `${number}`;
  }
}

/** `a` to `z`, then `aa` (CSS Counter Styles Level 3, section 6.2). */
function letters(number: number): string {
  if (number < 1) return `${number}`;
  let text = '';
  for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    text = String.fromCharCode(97 + ((rest - 1) % 26)) + text;
  }
  return text;
}

const romans = [
  ['M', 1000],
  ['CM', 900],
  ['D', 500],
  ['CD', 400],
  ['C', 100],
  ['XC', 90],
  ['L', 50],
  ['XL', 40],
  ['X', 10],
  ['IX', 9],
  ['V', 5],
  ['IV', 4],
  ['I', 1],
] as const;

/** Numbers from 1 to 3999 have a numeral. */
function roman(number: number): string {
  if (number < 1 || number > 3999) return `${number}`;
  let [text, rest] = ['', number];
  for (const [sign, value] of romans) {
    for (; rest >= value; rest -= value) text += sign;
  }
  return text;
}
