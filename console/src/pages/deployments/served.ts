/** The environments of a project, with the deployments that they serve. */

import type { Deployment, Environment } from '../../../../clients/typescript/src/index.ts';
import { platform } from '../../session/session.ts';

export type Served = {
  environment: Environment;
  /** Undefined if the environment serves nothing yet, or if it is not among the first environments. */
  deployment: Deployment | undefined;
};

export type ServedList = { items: Served[]; isWhole: boolean };

/** @param max environments, by name */
export async function loadServed(project: string, max: number, signal: AbortSignal): Promise<ServedList> {
  const { environments, deployments } = platform().projects(project);
  const page = await environments.list({ limit: max }, { signal });
  const items = await Promise.all(
    page.items.map(async (environment) => ({
      environment,
      deployment: environment.current ? await deployments.get(environment.current, { signal }) : undefined,
    })),
  );
  return { items, isWhole: !page.hasNextPage() };
}
