/** A website on this machine, whose pages a test changes. */

import { hash } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export type SitePage =
  | string
  | {
      status?: number;
      headers?: Readonly<Record<string, string>>;
      body?: string | Uint8Array;
      /** Without an ETag. */
      isPlain?: boolean;
    };

export type Site = Awaited<ReturnType<typeof openSite>>;

/** A function decides for each request. The site waits for a promise. */
export type PageOf = SitePage | (() => SitePage | Promise<SitePage>);

/** By path. */
export type SitePages = Map<string, PageOf>;

export async function openSite(pages: SitePages = new Map()) {
  const requests: string[] = [];
  /** The largest number of requests at the same time. */
  const load = { now: 0, most: 0 };
  const listener: RequestListener = async (request, response) => {
    const path = request.url ?? '';
    requests.push(path);
    load.now += 1;
    load.most = Math.max(load.most, load.now);
    response.once('close', () => {
      load.now -= 1;
    });
    const found = pages.get(path);
    const page = typeof found === 'function' ? await found() : found;
    if (page === undefined) return void response.writeHead(404).end('not here');
    const {
      status = 200,
      headers = {},
      body = '',
      isPlain = false,
    } = typeof page === 'string' ? { body: page } : page;
    const etag = `"${hash('md5', body)}"`;
    const tag = isPlain ? {} : { etag };
    if (status === 200 && !isPlain && request.headers['if-none-match'] === etag)
      return void response.writeHead(304, tag).end();
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...tag, ...headers }).end(body);
  };
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    pages,
    requests,
    load,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** @returns a page with a menu, which links to others */
export const htmlPage = (title: string, text: string, links: readonly string[] = []): string =>
  `<!doctype html><html><head><title>${title}</title></head><body>
<nav><ul><li><a href="/">Home</a></li></ul></nav>
<main><h1>${title}</h1><p>${text}</p>
${links.map((link) => `<p>See <a href="${link}">${link}</a>.</p>`).join('\n')}</main>
<footer>All rights reserved.</footer></body></html>`;
