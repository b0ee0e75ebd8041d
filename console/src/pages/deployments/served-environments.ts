/** The environments of a project, with the deployments that they serve. */

import type { Deployment, Environment } from '../../../../clients/typescript/src/index.ts';
import { platform } from '../../session/session.ts';

export type ServedEnvironment = {
  environment: Environment;
  /** The current deployment; undefined if the environment serves nothing yet. */
  deployment: Deployment | undefined;
};

export type EnvironmentList = { items: ServedEnvironment[]; isWhole: boolean };

/** @param max so many environments, by name */
export async function loadEnvironments(
  project: string,
  max: number,
  signal: AbortSignal,
): Promise<EnvironmentList> {
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
