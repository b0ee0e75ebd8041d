/** The elements of the head of a page that are for crawlers. Pure. The work is linear in the head. */

import { attributeOf, type Node } from '../html/parse.ts';
import { bothOf, type Directives, directivesIn, noDirectives, productToken } from './robots-directives.ts';

export type PageHead = Directives & {
  /** The address that names the page, as it is written. */
  canonical: string | undefined;
  /** Where the page leads its reader in a moment, as it is written. */
  refreshTo: string | undefined;
};

/** @param roots the children of the document. The body may have texts of strangers, so it says nothing */
export function readHead(roots: readonly Node[]): PageHead {
  let directives = noDirectives;
  let refreshTo: string | undefined;
  const canonicals = new Set<string>();
  for (const node of childNamed('head', childNamed('html', roots))) {
    if (!('tagName' in node)) continue;
    if (node.tagName === 'link') {
      const href = attributeOf(node, 'href')?.trim();
      const relations = attributeOf(node, 'rel')?.toLowerCase().split(/\s+/);
      if (href && relations?.includes('canonical')) canonicals.add(href);
    }
    if (node.tagName !== 'meta') continue;
    const content = attributeOf(node, 'content') ?? '';
    const name = attributeOf(node, 'name')?.trim().toLowerCase();
    if (name === 'robots' || name === productToken) directives = bothOf(directives, directivesIn(content));
    if (attributeOf(node, 'http-equiv')?.trim().toLowerCase() === 'refresh') refreshTo ??= refreshIn(content);
  }
  // Two different addresses are a mistake of the page.
  const [canonical] = canonicals.size === 1 ? canonicals : [];
  return { ...directives, canonical, refreshTo };
}

function childNamed(name: string, nodes: readonly Node[]): readonly Node[] {
  const child = nodes.find(({ nodeName }) => nodeName === name);
  return child && 'childNodes' in child ? child.childNodes : [];
}

/** After a longer delay, the reader has read the page. */
const maxDelaySeconds = 10;

/** @returns the address of a refresh ("Shared declarative refresh steps", HTML Standard 4.2.5.3); undefined if there is none */
function refreshIn(content: string): string | undefined {
  const [all = '', seconds = ''] = /^\s*(\d+)(?:\.[\d.]*)?/.exec(content) ?? [];
  if (all === '' || Number(seconds) > maxDelaySeconds) return undefined;
  const rest = content.slice(all.length);
  if (!/^[;,\s]/.test(rest)) return undefined;
  const address = rest.trim().replace(/^[;,]/, '').trim();
  const named = /^url(?=[\s=])/i.test(address) ? address.slice(3).trim() : '';
  const text = named.startsWith('=') ? named.slice(1).trim() : address;
  const quote = text.startsWith('"') || text.startsWith("'") ? text[0] : undefined;
  if (quote === undefined) return text || undefined;
  return text.slice(1).split(quote, 1)[0]?.trim() || undefined;
}
