/** Who answers in a chat: an avatar, as an environment or a deployment has it, or as its draft. */

import {
  NotFoundError,
  NothingServedError,
  type ProjectResources,
  type ReplyTarget,
} from '../../../clients/typescript/src/index.ts';
import { checkId } from '../command.ts';
import { checkName } from '../commands/deployments.ts';
import { defaultEnvironment } from '../deploy/target.ts';
import { CliError, usageError } from '../errors.ts';
import { safeLine } from '../output/text.ts';

export type TargetOptions = { environment?: string; deployment?: string; draft?: boolean };

/** How many avatars or environments an error names. */
const maxNamed = 10;

/**
 * @returns the id of the only active avatar of the project
 * @throws CliError that lists the avatars, if there is not exactly one
 */
export async function onlyAvatar(project: ProjectResources): Promise<string> {
  const { items } = await project.avatars.list({ status: 'active', limit: maxNamed });
  const [first, second] = items;
  if (!first)
    throw new CliError('notFound', 'The project has no active avatar.', 'Make one: platform avatars create');
  if (!second) return first.id;
  const lines = items.map(({ id, name }) => `${id}  ${safeLine(name)}`);
  throw usageError(
    `Which avatar? The project has several:\n  ${lines.join('\n  ')}`,
    'Name one: platform chat AVATAR',
  );
}

/**
 * @returns what the options say; without any, production
 * @throws CliError if several are given, or if production does not serve the avatar
 */
export async function targetFrom(
  project: ProjectResources,
  avatarId: string,
  { environment, deployment, draft }: TargetOptions,
): Promise<ReplyTarget> {
  const given = [environment, deployment, draft].filter((one) => one !== undefined);
  if (given.length > 1) throw usageError('--environment, --deployment and --draft cannot be combined.');
  if (environment !== undefined) return { environment: checkName(environment) };
  if (deployment !== undefined) return { deploymentId: checkId(deployment) };
  if (draft) return { draft: true };
  if (await serves(project, defaultEnvironment, avatarId)) return { environment: defaultEnvironment };
  const { items } = await project.environments.list({ limit: maxNamed });
  const others = items
    .filter(({ name, current }) => name !== defaultEnvironment && current !== null)
    .map(({ name }) => `--environment ${name}`);
  throw new CliError(
    'conflict',
    `What answers? The environment ${defaultEnvironment} does not serve this avatar.`,
    `Add ${['--draft', ...others, '--deployment ID'].join(' or ')}. Or deploy it: platform deploy`,
  );
}

async function serves(project: ProjectResources, environment: string, avatarId: string): Promise<boolean> {
  try {
    const { avatars } = await project.environments.config(environment);
    return avatars.some(({ id }) => id === avatarId);
  } catch (error) {
    if (error instanceof NothingServedError || error instanceof NotFoundError) return false;
    throw error;
  }
}

/** @returns what answers, for people */
export const targetText = ({ environment, deploymentId, draft }: ReplyTarget): string =>
  draft ? 'its draft' : `as ${environment ?? deploymentId} has it`;
