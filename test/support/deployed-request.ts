/** Requests to an API that is deployed in an emulated account: to the address in its stack's output, at the emulator's port. */

import { Agent, request as httpRequest } from 'node:http';
import { type ApiResponse, opened } from '../../scripts/local/call.ts';
import type { Account } from './aws-account.ts';

type Deployed = { account: Pick<Account, 'endpoint'>; baseUrl: string };
type Sent = { method: string; path: string; headers: Record<string, string>; body: string };

const agent = new Agent({ keepAlive: true });

export function requestDeployed(
  { account, baseUrl }: Deployed,
  { method, path, headers, body }: Sent,
): Promise<ApiResponse> {
  const { hostname, pathname } = new URL(baseUrl);
  const { port } = new URL(account.endpoint);
  const host = hostname
    .replace(/\.amazonaws\.com$/, '')
    .replace(/\.execute-api\..*$/, '.execute-api.localhost');
  return new Promise((done, reject) => {
    const sent = httpRequest(
      {
        agent,
        host: '127.0.0.1',
        port,
        method,
        path: pathname.replace(/\/$/, '') + path,
        headers: { ...headers, Host: `${host}:${port}`, 'Content-Length': Buffer.byteLength(body) },
      },
      async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk as Buffer);
        const text = Buffer.concat(chunks).toString();
        // Header names in the spelling of the contract.
        const raw = response.rawHeaders;
        const names = raw.filter((_, index) => index % 2 === 0);
        const pairs = names.map((name, index) => [name, raw[index * 2 + 1] ?? '']);
        const headers = Object.fromEntries(pairs) as Record<string, string>;
        done({ status: response.statusCode ?? 0, headers, text, ...opened(text, headers) });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
