/** Runs the tests of the client. Bundled, and run by each runtime next to the installed package. */

import type * as Client from '../../../clients/typescript/src/index.ts';
import type * as Runtime from '../../../clients/typescript/src/runtime/index.ts';
import type { Context } from './scenario.ts';
import { scenarios } from './scenarios/index.ts';

export type Result = { title: string; failure: string | null };

/** Where a lane finds its service, and its number from 0. */
export type Settings = {
  origin: string;
  apiKey: string;
  lane: number;
  lanes: number;
  /** For scenarios with files. */
  folder?: string | undefined;
};

export async function run(
  client: typeof Client,
  runtime: typeof Runtime,
  { lane, lanes, ...settings }: Settings,
  report: (result: Result) => void,
): Promise<void> {
  // The pauses between attempts are a random part of a limit: here, a small one.
  const random = Math.random;
  Math.random = () => random() / 10;
  const context = contextOf(client, runtime, settings);
  const own = Object.entries(scenarios).filter((_, index) => index % lanes === lane);
  for (const [index, [title, scenario]] of own.entries()) {
    await context.control('faults');
    const folder = context.folder && `${context.folder}/${index}`;
    const failure = await scenario({ ...context, folder }).then(
      () => null,
      (error: unknown) => (error instanceof Error ? `${error.message}\n${error.stack}` : String(error)),
    );
    report({ title, failure });
  }
}

export function contextOf(
  client: typeof Client,
  runtime: typeof Runtime,
  { origin, apiKey, folder }: Pick<Settings, 'origin' | 'apiKey' | 'folder'>,
): Context {
  const isPage = 'document' in globalThis;
  const control = async (name: string, body: object = {}) => {
    for (;;) {
      const response = await fetch(`${origin}/control/${name}`, {
        method: 'POST',
        body: JSON.stringify(body),
      }).catch(() => undefined);
      if (response?.ok) return (await response.json()) as Record<string, unknown>;
      // The proxy restarts.
      await new Promise((done) => setTimeout(done, 100));
    }
  };
  const platform = new client.Platform({
    apiKey,
    baseUrl: `${origin}/api/v1`,
    // Only requests whose body stalls on purpose take as long, and some on a busy machine.
    timeoutMs: 1500,
    deadlineMs: 120_000,
    maxRetries: 100,
  });
  const newProject = async () => {
    const { id } = await platform.projects.create({ name: 'a project' });
    return { id, project: platform.projects(id) };
  };
  return { client, runtime, origin, apiKey, platform, newProject, control, isPage, folder };
}
