/**
 * The requests of the page, so that the page can show them as code, and whether the service can be reached. Headers are not
 * recorded: they contain the credential.
 */

import { signal } from '@preact/signals';
import { baseUrl } from '../base.ts';

export type SentRequest = {
  /** The number of the request on its page. */
  id: number;
  method: string;
  /** The path below the base URL, without the query. */
  path: string;
  query: readonly (readonly [string, string])[];
  body: unknown;
  /** The status of the response; undefined until there is a response. */
  status: number | undefined;
  requestId: string | undefined;
};

const maxRequests = 50;

/** The requests since the page was opened, the newest last. */
export const requests = signal<readonly SentRequest[]>([]);

export const forgetRequests = (): void => {
  requests.value = [];
};

/** Whether the last request reached the service. */
export const isReachable = signal(true);

/**
 * @param sessionSignal aborts all requests
 * @param onRefused is called after a 401
 */
export function recordingFetch(sessionSignal: AbortSignal, onRefused: () => void) {
  return async (url: string, init: RequestInit): Promise<Response> => {
    const entry = entryOf(url, init);
    requests.value = [...requests.value.slice(1 - maxRequests), entry];
    const update = (changes: Partial<SentRequest>) => {
      requests.value = requests.value.map((request) =>
        request.id === entry.id ? { ...request, ...changes } : request,
      );
    };
    const signal = init.signal ? AbortSignal.any([init.signal, sessionSignal]) : sessionSignal;
    try {
      const response = await fetch(url, { ...init, signal });
      isReachable.value = true;
      update({ status: response.status, requestId: response.headers.get('x-request-id') ?? undefined });
      if (response.status === 401 && !entry.path.endsWith('/me')) onRefused();
      return response;
    } catch (error) {
      if (!signal.aborted) isReachable.value = false;
      throw error;
    }
  };
}

let count = 0;

function entryOf(url: string, { method = 'GET', body }: RequestInit): SentRequest {
  const { search } = new URL(url);
  const path = url.slice(baseUrl.length).split('?')[0] ?? '';
  count += 1;
  return {
    id: count,
    method,
    path,
    query: [...new URLSearchParams(search)],
    body: typeof body === 'string' ? (JSON.parse(body) as unknown) : undefined,
    status: undefined,
    requestId: undefined,
  };
}
