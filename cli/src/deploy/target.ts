/** The target of a rollback: a deployment, or its commit. */

import type { Deployment, ProjectResources } from '../../../clients/typescript/src/index.ts';
import { CliError, usageError } from '../errors.ts';
import { idOf } from '../resources.ts';
import type { Session } from '../session.ts';

export const defaultEnvironment = 'production';

/** The fewest digits of a commit, which are as many as git shows. */
export const minCommitDigits = 7;

/** How many deployments of a commit a message names. */
const maxNamed = 10;

/** @returns the deployments that the environment has served before, newest first */
export const targetsIn = (
  project: ProjectResources,
  environment: string,
  sha?: string,
): AsyncIterable<Deployment> =>
  project.deployments.list({ environment, phase: 'superseded', limit: 100, ...(sha && { sha }) });

/**
 * @param text the id of a deployment, or the start of its commit
 * @returns the id
 * @throws CliError if the text is neither, or if several deployments have the commit
 */
export async function targetOf(session: Session, environment: string, text: string): Promise<string> {
  if (!/^[0-9a-f]{1,64}$/i.test(text)) return idOf(session, 'deployment', text);
  if (text.length < minCommitDigits)
    throw usageError(`--to needs at least ${minCommitDigits} digits of the commit: ${text}`);
  const listCommand = `platform deployments list --environment ${environment}`;
  const deployments: Deployment[] = [];
  for await (const deployment of targetsIn(session.project, environment, text)) {
    deployments.push(deployment);
    if (deployments.length >= maxNamed) break;
  }
  const [first, second] = deployments;
  if (second) {
    const lines = deployments.map(({ id, git, promotedAt }) => `${id}  ${git?.sha}  ${promotedAt}`);
    throw usageError(
      `Several deployments of ${environment} have a commit that starts with ${text}:\n  ${lines.join('\n  ')}`,
      'Use the id of one.',
    );
  }
  if (first) return first.id;
  throw new CliError(
    'notFound',
    `${environment} has served no other deployment whose commit starts with ${text}.`,
    `To list them: ${listCommand}`,
  );
}
