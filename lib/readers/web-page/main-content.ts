/** Takes the main content of a page, without menus, headers, footers and lists of links, with Mozilla's Readability. */

import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom/worker';
import { serializeOuter } from 'parse5';
import { type Node, walk } from '../html.ts';

/**
 * Readability climbs from most elements up to the root, several times, and its document keeps attributes in a list. So an element
 * counts as often as it has ancestors and attributes. The largest pages of Readability's own tests count 125 000.
 */
const maxWork = 250_000;

/**
 * @param roots the children of the document
 * @returns the HTML of the content; undefined if the page has none, or is too complex for it
 */
export function mainContent(roots: readonly Node[]): string | undefined {
  const root = roots.find(({ nodeName }) => nodeName === 'html');
  if (!root || !('tagName' in root) || !isSimple(root)) return undefined;
  try {
    const { document } = parseHTML(serializeOuter(root));
    // JSON-LD has only the title, the author and a summary.
    return new Readability(document, { disableJSONLD: true }).parse()?.content ?? undefined;
  } catch {
    // Both libraries fail for some markup that no page has, such as 4 MB of class names.
    return undefined;
  }
}

function isSimple(root: Node): boolean {
  let work = 0;
  let depth = 0;
  walk(
    [root],
    (node) => {
      if (!('tagName' in node)) return undefined;
      work += depth + node.attrs.length;
      depth += 1;
      return node.childNodes;
    },
    () => {
      depth -= 1;
    },
  );
  return work <= maxWork;
}
