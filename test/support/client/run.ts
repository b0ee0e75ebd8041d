/** Runs the tests of the client. Bundled, and run by each runtime next to the installed package. */

import type * as Client from '../../../client/src/index.ts';
import type { Context } from './scenario.ts';
import { scenarios } from './scenarios/index.ts';

export type Result = { title: string; failure: string | null };

export async function run(
  client: typeof Client,
  { origin, apiKey }: { origin: string; apiKey: string },
  report: (result: Result) => void,
): Promise<void> {
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
  const context: Context = { client, origin, apiKey, platform, newProject, control, isPage };
  for (const [title, scenario] of Object.entries(scenarios)) {
    await control('faults');
    const failure = await scenario(context).then(
      () => null,
      (error: unknown) => (error instanceof Error ? `${error.message}\n${error.stack}` : String(error)),
    );
    report({ title, failure });
  }
}
