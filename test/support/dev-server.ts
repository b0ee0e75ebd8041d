/** `npm run dev`, with a folder of its own for its files. */

import { inject } from 'vitest';
import { parseApiKey } from '../../lib/credentials/api-key.ts';
import type { CallOptions, ContractApi } from '../../samples/api.ts';
import { newDatabase, removeTables } from '../../samples/tables.ts';
import { asSent, opened } from '../../scripts/local/call.ts';
import { startDevProcess } from '../../scripts/local/dev-process.ts';
import { remoteApi } from './remote-api.ts';

export type DevServer = { baseUrl: string; apiKey: string; api: ContractApi; stop: () => Promise<void> };

export async function startDevServer(): Promise<DevServer> {
  const database = newDatabase(inject('dynamodbEndpoint'));
  const { baseUrl, apiKey, testApiKey, stop } = await startDevProcess({ database });
  return {
    baseUrl,
    apiKey,
    api: apiAt(baseUrl, apiKey, testApiKey),
    stop: () => stop().then(() => removeTables(database)),
  };
}

function apiAt(baseUrl: string, apiKey: string, testApiKey: string): ContractApi {
  const call = async (method: string, path: string, options: CallOptions = {}) => {
    const { headers, text } = asSent({ key: apiKey, ...options });
    const response = await fetch(baseUrl + path, { method, headers, ...(text !== '' && { body: text }) });
    const received = Object.fromEntries(response.headers);
    const body = await response.text();
    return { status: response.status, headers: received, text: body, ...opened(body, received) };
  };
  return remoteApi({
    call,
    rootKey: apiKey,
    organisationId: parseApiKey(apiKey)?.organisationId ?? '',
    testModeKey: async () => testApiKey,
    another: () => Promise.reject(new Error('there is one organisation')),
  });
}
