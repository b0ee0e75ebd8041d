/** An organisation on the dev server, as a benchmark of neighbours uses it: through the public API. */

import { setTimeout as sleep } from 'node:timers/promises';

export type Json = Record<string, unknown>;

export type Side = {
  baseUrl: string;
  key: string;
  project: string;
  /** Aborted when the measurement ends. */
  signal: AbortSignal;
  /** @returns the data of the response @throws Error if it is not a success */
  call(method: string, path: string, body?: Json, key?: string): Promise<Json>;
};

const retryMs = 500;

export async function openSide(given: Pick<Side, 'baseUrl' | 'key' | 'signal'>): Promise<Side> {
  const call: Side['call'] = async (method, path, body, key = given.key) => {
    for (;;) {
      const response = await send(given, { method, path, body, key });
      const text = await response.text();
      if (response.ok) return (JSON.parse(text) as { data: Json }).data;
      if (response.status !== 429 && response.status !== 503)
        throw new Error(`${method} ${path}: ${response.status} ${text}`);
      await sleep(retryMs);
    }
  };
  return { ...given, call, project: await newProject({ call }) };
}

export const send = (
  { baseUrl }: Pick<Side, 'baseUrl'>,
  { method, path, body, key }: { method: string; path: string; body?: Json | undefined; key: string },
): Promise<Response> =>
  fetch(baseUrl + path, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });

/** @returns the path of a new project */
export async function newProject({ call }: Pick<Side, 'call'>): Promise<string> {
  return `/projects/${(await call('POST', '/projects', { name: 'Neighbours' })).id}`;
}

/** Repeats until the measurement ends. A request that the end interrupts does not count. */
export function forever({ signal }: Side, act: (round: number) => Promise<unknown>): void {
  const repeat = async () => {
    for (let round = 0; !signal.aborted; round += 1) await act(round);
  };
  void repeat().catch((error: unknown) => {
    if (!signal.aborted) console.error('the load has ended:', error);
  });
}

/** @returns when something has happened. Nobody asks more often than a patient caller would */
export async function until(happened: () => Promise<boolean>): Promise<void> {
  while (!(await happened())) await sleep(50);
}

/** @returns when a job has succeeded */
export async function ended({ call }: Side, job: string): Promise<void> {
  let status: unknown;
  await until(async () => {
    status = (await call('GET', job)).status;
    return status !== 'queued' && status !== 'running';
  });
  if (status !== 'succeeded') throw new Error(`${job} has ${status}`);
}

export const itemsOf = (data: Json): Json[] => data.items as Json[];

/** @returns the id of a stored file */
export async function upload(
  { call, project }: Side,
  bytes: Uint8Array<ArrayBuffer>,
  purpose: 'conversations' | 'knowledge',
): Promise<unknown> {
  const { id, url } = await call('POST', `${project}/uploads`, { bytes: bytes.byteLength, purpose });
  const response = await fetch(String(url), { method: 'PUT', body: bytes });
  if (!response.ok) throw new Error(`PUT: ${response.status} ${await response.text()}`);
  return id;
}

export const avatarId = 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';

/** @returns a file of conversations */
export function conversationFile(
  name: string,
  { conversations, messages }: { conversations: number; messages: number },
): Uint8Array<ArrayBuffer> {
  const startedAt = new Date().toISOString();
  const line = (number: number) => ({
    externalId: `${name}-${number}`,
    externalUserId: `user-${number % 20}`,
    avatarId,
    startedAt,
    messages: Array.from({ length: messages }, (_, at) => ({
      role: at % 2 === 0 ? 'user' : 'avatar',
      text: `message ${at} of ${name} about refunds and orders`,
      at: startedAt,
    })),
  });
  return Buffer.from(
    Array.from({ length: conversations }, (_, number) => JSON.stringify(line(number))).join('\n'),
  );
}

/** @returns the path of the job */
export async function startImport(side: Side, file: Uint8Array<ArrayBuffer>): Promise<string> {
  const uploadId = await upload(side, file, 'conversations');
  const { id } = await side.call('POST', `${side.project}/conversations/import-file`, { uploadId });
  return `${side.project}/jobs/${id}`;
}
