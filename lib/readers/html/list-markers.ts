/** The markers of the items of a list, as a browser shows them. */

import { maxRoman, roman } from '../roman.ts';
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
      return romanOrDigits(number);
    case 'I':
      return romanOrDigits(number).toUpperCase();
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

const romanOrDigits = (number: number): string =>
  number < 1 || number > maxRoman ? `${number}` : roman(number);
