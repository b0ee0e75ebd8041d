/** Parses HTML and walks through its nodes. The work is linear in the size of the source, with any nesting. */

import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5';

export type Node = DefaultTreeAdapterTypes.ChildNode;
export type Element = DefaultTreeAdapterTypes.Element;
type Parent = DefaultTreeAdapterTypes.ParentNode;

/**
 * The source of a document has at most 68 000 tags. But formatting that is never closed is reopened in each paragraph,
 * so n tags can make n² / 4 elements ("Reconstruct the active formatting elements", HTML Standard 13.2.4.3).
 */
const maxElements = 150_000;

/** The markup expands to too many elements. */
export class TooComplex extends Error {}

/**
 * @param elementLimit the number of elements that the source may make
 * @throws TooComplex
 */
export function parseBounded(source: string, elementLimit = maxElements): Parent {
  let elements = 0;
  return parse(source, {
    // Scripts do not run, so <noscript> is content.
    scriptingEnabled: false,
    treeAdapter: {
      ...defaultTreeAdapter,
      createElement(...args) {
        elements += 1;
        if (elements > elementLimit)
          throw new TooComplex(`the markup makes more than ${elementLimit} elements`);
        return defaultTreeAdapter.createElement(...args);
      },
    },
  });
}

/**
 * Visits nodes depth first, with an explicit stack, because elements may be nested deeper than the call stack.
 * @param enter returns the children; undefined to skip the element
 */
export function walk(
  roots: readonly Node[],
  enter: (node: Node) => readonly Node[] | undefined,
  leave: (node: Node) => void,
): void {
  const stack: { node: Node | undefined; children: readonly Node[]; next: number }[] = [
    { node: undefined, children: roots, next: 0 },
  ];
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const child = top.children[top.next];
    top.next += 1;
    const children = child && enter(child);
    if (children) stack.push({ node: child, children, next: 0 });
    if (child) continue;
    stack.pop();
    if (top.node) leave(top.node);
  }
}

export const isText = (node: Node): node is DefaultTreeAdapterTypes.TextNode => node.nodeName === '#text';

export const isElement = (node: Node): node is Element => 'tagName' in node;

export const attributeOf = ({ attrs }: Element, wanted: string): string | undefined =>
  attrs.find(({ name }) => name === wanted)?.value;

/** @param property in lower case @returns its value in the `style` of the element, in lower case */
export function styleOf(element: Element, property: string): string | undefined {
  const declarations = attributeOf(element, 'style')?.toLowerCase().split(';') ?? [];
  for (const declaration of declarations) {
    const colon = declaration.indexOf(':');
    if (declaration.slice(0, Math.max(0, colon)).trim() !== property) continue;
    return declaration
      .slice(colon + 1)
      .replace('!important', '')
      .trim();
  }
  return undefined;
}
