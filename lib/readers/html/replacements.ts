/** What a browser shows in place of elements that have no text: pictures and fields of forms. */

import { alternativeText } from '../alternative-text.ts';
import { attributeOf, type Element } from './parse.ts';

/** Fields with a state, with a text that is not shown, or with a value that is no text. */
const withoutText = new Set('button color file hidden image password range reset submit'.split(' '));

/** @returns the text of the element; empty for an element that is none of them */
export function replacementOf(element: Element): string {
  if (element.tagName === 'img') return pictureText(element);
  if (element.tagName !== 'input') return '';
  const type = attributeOf(element, 'type')?.trim().toLowerCase() ?? 'text';
  if (type === 'checkbox' || type === 'radio')
    return attributeOf(element, 'checked') === undefined ? '☐' : '☒';
  return withoutText.has(type) ? '' : (attributeOf(element, 'value') ?? '');
}

/** A page that loads its pictures by a script has them again for browsers without scripts. */
function pictureText(element: Element): string {
  const { parentNode } = element;
  return parentNode?.nodeName === 'noscript' ? '' : alternativeText(attributeOf(element, 'alt') ?? '');
}
