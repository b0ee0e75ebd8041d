/**
 * The addresses in sitemaps (https://www.sitemaps.org/protocol.html) and feeds (RSS, and Atom of RFC 4287), which are XML, or one URL
 * per line. Pure, linear in the text, and bounded.
 */

// Sitemaps and feeds are often no well-formed XML: for example, they have `&` in URLs.
import { Parser } from 'htmlparser2';

/** An index has the addresses of other sitemaps, and all others have those of pages. */
type Kind = 'index' | 'sitemap' | 'feed';

/** The protocol allows no more in one file. */
export const maxSitemapUrls = 50_000;
const maxWrittenLength = 8192;
/** `<urlset><url><loc>`: deeper in a sitemap are the addresses of pictures and videos. */
const locDepth = 3;
const maxDepth = 100;

const roots: Readonly<Record<string, Kind>> = {
  sitemapindex: 'index',
  urlset: 'sitemap',
  rss: 'feed',
  feed: 'feed',
  RDF: 'feed',
};

export type SitemapReader = {
  /** @returns false if the rest is not wanted */
  write(text: string): boolean;
  /** @returns false if the text is no sitemap and no feed */
  end(): boolean;
};

/** @param wants gets each address as it is written, and returns whether further ones are wanted */
export function readSitemap(wants: (url: string, isIndex: boolean) => boolean): SitemapReader {
  let count = 0;
  let reader: SitemapReader | undefined;
  const take = (url: string, isIndex: boolean): boolean => {
    count += 1;
    return wants(url, isIndex) && count < maxSitemapUrls;
  };
  return {
    write(text) {
      const start = reader ? text : text.trimStart();
      if (start === '') return true;
      reader ??= start.startsWith('<') ? readXml(take) : readLines(take);
      return reader.write(start);
    },
    end: () => reader?.end() ?? false,
  };
}

function readXml(take: (url: string, isIndex: boolean) => boolean): SitemapReader {
  const path: string[] = [];
  let kind: Kind | undefined;
  let url: string | undefined;
  let isOver = false;
  const end = () => {
    if (url !== undefined && url.trim() !== '' && !isOver) isOver = !take(url.trim(), kind === 'index');
    url = undefined;
  };
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const local = name.slice(name.indexOf(':') + 1);
        if (path.length === 0 && kind === undefined) kind = roots[local];
        if (kind === undefined || path.length > maxDepth) isOver = true;
        if (isOver) return;
        path.push(local);
        if (!isAddress(kind, path)) return;
        // In Atom, the address is an attribute, and other relations than `alternate` are no pages.
        const isPage = attributes.rel === undefined || attributes.rel === 'alternate';
        url = isPage ? (attributes.href ?? '') : undefined;
      },
      ontext(text) {
        if (url !== undefined && url.length < maxWrittenLength) url += text;
      },
      onclosetag() {
        end();
        path.pop();
      },
    },
    { xmlMode: true },
  );
  return {
    write(text) {
      if (!isOver) parser.write(text);
      return !isOver;
    },
    end: () => kind !== undefined,
  };
}

function isAddress(kind: Kind | undefined, path: readonly string[]): boolean {
  const [parent, name] = path.slice(-2);
  if (kind === 'feed') return name === 'link' && (parent === 'item' || parent === 'entry');
  return name === 'loc' && path.length <= locDepth;
}

function readLines(take: (url: string, isIndex: boolean) => boolean): SitemapReader {
  let rest = '';
  let isList = true;
  const takeLine = (line: string): boolean => {
    const url = line.trim();
    if (url === '') return true;
    isList &&= /^https?:\/\//.test(url);
    return isList && take(url, false);
  };
  return {
    write(text) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      isList &&= rest.length <= maxWrittenLength;
      return isList && lines.every(takeLine);
    },
    end() {
      takeLine(rest);
      return isList;
    },
  };
}
