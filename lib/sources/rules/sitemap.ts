/** Sitemaps (https://www.sitemaps.org/protocol.html): XML, or one URL per line. Pure, linear, and bounded. */

export type Sitemap = {
  /** An index has the addresses of other sitemaps. */
  isIndex: boolean;
  /** The addresses as the sitemap writes them. */
  urls: string[];
};

/** The protocol allows no more in one file. */
export const maxSitemapUrls = 50_000;

/** @returns undefined if the text is no sitemap */
export function readSitemap(text: string): Sitemap | undefined {
  const start = text.slice(0, 4096);
  if (!start.trimStart().startsWith('<')) return readLines(text);
  const isIndex = /<(?:[A-Za-z]{1,20}:)?sitemapindex[\s>]/.test(start);
  if (!isIndex && !/<(?:[A-Za-z]{1,20}:)?urlset[\s>/]/.test(start)) return undefined;
  const urls: string[] = [];
  for (let at = 0; urls.length < maxSitemapUrls; ) {
    const open = text.indexOf('loc>', at);
    if (open === -1) break;
    at = open + 4;
    // `<loc>` or `<s:loc>`. `<image:loc>` is not an address of a page.
    const before = text.slice(Math.max(0, open - 21), open);
    const isLoc = before.endsWith('<') || (before.endsWith(':') && !/<(?:image|video):$/.test(before));
    if (!isLoc) continue;
    const close = text.indexOf('</', at);
    if (close === -1) break;
    const url = unescapeXml(text.slice(at, Math.min(close, at + maxWrittenLength)));
    if (url !== '') urls.push(url);
    at = close;
  }
  return { isIndex, urls };
}

const maxWrittenLength = 8192;

function readLines(text: string): Sitemap | undefined {
  const urls: string[] = [];
  for (const line of text.split('\n', maxSitemapUrls)) {
    const url = line.trim();
    if (/^https?:\/\//.test(url)) urls.push(url);
    else if (url !== '') return undefined;
  }
  return urls.length > 0 ? { isIndex: false, urls } : undefined;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  const trimmed = text.trim();
  if (trimmed.startsWith('<![CDATA[')) return trimmed.slice(9).split(']]>', 1)[0]?.trim() ?? '';
  return trimmed.replace(/&(#x[0-9A-Fa-f]{1,6}|#\d{1,7}|[a-z]{2,4});/g, (entity, name: string) => {
    if (!name.startsWith('#')) return entities[name] ?? entity;
    const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
  });
}
