/** The directives of a page for crawlers, in `<meta name="robots">` and in the header `X-Robots-Tag`. Pure. */

/** The product token of the crawler (RFC 9309, section 2.2.1), as in its `User-Agent`. */
export const productToken = 'platform-api-crawler';

export type Directives = {
  /** The page is left out. */
  noindex: boolean;
  /** Its links are not followed. */
  nofollow: boolean;
};

export const noDirectives: Directives = { noindex: false, nofollow: false };

export const bothOf = (one: Directives, other: Directives): Directives => ({
  noindex: one.noindex || other.noindex,
  nofollow: one.nofollow || other.nofollow,
});

/** @param text the names of directives, separated by commas. Some pages forget the commas */
export function directivesIn(text: string): Directives {
  // In `max-image-preview: none`, `none` is the value of another directive.
  const parts = text.toLowerCase().split(',');
  const names = new Set(
    parts.filter((part) => !part.includes(':')).flatMap((part) => part.trim().split(/\s+/)),
  );
  const isNone = names.has('none');
  return { noindex: isNone || names.has('noindex'), nofollow: isNone || names.has('nofollow') };
}

/** These names have a value behind their colon. Any other name before a colon is that of a crawler. */
const valued = new Set(['max-image-preview', 'max-snippet', 'max-video-preview', 'unavailable_after']);

/** @param values of the headers: each may name a crawler, to which the directives behind it are addressed */
export function directivesOfHeaders(values: readonly string[]): Directives {
  let directives = noDirectives;
  for (const value of values) {
    let isAddressed = true;
    for (const part of value.split(',')) {
      const colon = part.indexOf(':');
      const name = part.slice(0, Math.max(colon, 0)).trim().toLowerCase();
      // A date has colons, too.
      const isCrawler = /^[a-z*][\w*-]*$/.test(name) && !valued.has(name);
      if (isCrawler) isAddressed = name === productToken || name === '*';
      if (isAddressed)
        directives = bothOf(directives, directivesIn(isCrawler ? part.slice(colon + 1) : part));
    }
  }
  return directives;
}
