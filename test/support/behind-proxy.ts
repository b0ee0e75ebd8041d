/** A server with a certificate of its own authority, and a proxy before it, which writes down what goes through it. */

import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export type BehindProxy = Awaited<ReturnType<typeof openBehindProxy>>;

/** The name has no address: only the proxy knows where it is. */
export const hiddenHost = 'api.acme.example';

const extensions = [
  `subjectAltName=DNS:localhost,DNS:${hiddenHost}`,
  'basicConstraints=critical,CA:FALSE',
].flatMap((extension) => ['-addext', extension]);

/** What each request of the API gets. */
const answer = { success: true, data: { items: [], nextCursor: null, id: 'proj_1' } };

export async function openBehindProxy() {
  const folder = mkdtempSync(join(tmpdir(), 'behind-proxy-'));
  const [authorityKey, authority, keyFile, certificate] = [
    'authority.key',
    'authority.pem',
    'key.pem',
    'certificate.pem',
  ].map((name) => join(folder, name)) as [string, string, string, string];
  const make = (keyTo: string, to: string, ...more: string[]) => {
    const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', keyTo, '-out', to];
    execFileSync('openssl', [...made, ...more], { stdio: 'ignore' });
  };
  make(authorityKey, authority, '-subj', '/CN=authority of acme');
  make(keyFile, certificate, '-CA', authority, '-CAkey', authorityKey, '-subj', '/CN=acme', ...extensions);
  const sockets = new Set<Socket>();
  const listen = async (server: Server): Promise<number> => {
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return (server.address() as AddressInfo).port;
  };

  const received: string[] = [];
  const [key, cert] = [keyFile, certificate].map((file) => readFileSync(file));
  const api = createTlsServer({ key, cert }, ({ method, url }, response) => {
    received.push(`${method} ${url}`);
    response.end(JSON.stringify(answer));
  });
  api.on('tlsClientError', () => {});
  const plain = createServer(({ method, url }, response) => {
    received.push(`${method} ${url}`);
    response.end(JSON.stringify(answer));
  });

  const tunnels: string[] = [];
  /** Requests that the proxy could read. */
  const readable: string[] = [];
  const proxy = createServer(({ url = '' }, response) => {
    readable.push(url);
    response.writeHead(502).end();
  });
  const [port, plainPort, proxyPort] = [await listen(api), await listen(plain), await listen(proxy)];
  proxy.on('connect', ({ url = '', headers }, socket: Socket) => {
    const authorization = headers['proxy-authorization'];
    tunnels.push(authorization === undefined ? url : `${url} ${authorization}`);
    const upstream = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(upstream).pipe(socket);
    });
    sockets.add(upstream);
    upstream.on('error', () => socket.destroy());
    socket.on('error', () => upstream.destroy());
  });

  return {
    /** Of the API, without a path: by a name that is this machine, by a name without an address, and without TLS. */
    origin: `https://localhost:${port}`,
    hiddenOrigin: `https://${hiddenHost}:${port}`,
    plainOrigin: `http://127.0.0.1:${plainPort}`,
    proxy: `127.0.0.1:${proxyPort}`,
    /** The file with the certificate. */
    authority,
    /** What the API has received, and what the proxy has seen. */
    received,
    tunnels,
    readable,
    /** Runs a program that trusts the authority. */
    async run(program: string, args: readonly string[], env: Readonly<Record<string, string>>) {
      for (const list of [received, tunnels, readable]) list.length = 0;
      const base = { PATH: process.env.PATH ?? '', HOME: folder, PLATFORM_API_KEY: 'sk_test_x' };
      const trusted = { NODE_EXTRA_CA_CERTS: authority, SSL_CERT_FILE: authority };
      const child = spawn(program, args, { cwd: folder, env: { ...base, ...trusted, ...env } });
      child.stdin.end();
      const ended = new Promise<number | null>((done) => child.once('close', done));
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
      return { code: await ended, stdout, stderr };
    },
    close() {
      for (const socket of sockets) socket.destroy();
      for (const server of [api, plain, proxy]) server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
