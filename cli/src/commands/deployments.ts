/** The commands of deployments and environments. */

import type { Command } from 'commander';
import type {
  Deployment,
  DeploymentChange,
  DeploymentChangeList,
  DeploymentList,
  DeploymentsChangesQuery,
  DeploymentsListQuery,
  EnvironmentConfig,
} from '../../../clients/typescript/src/index.ts';
import { checkId, type Define } from '../command.ts';
import { usageError } from '../errors.ts';
import { confirm } from '../input.ts';
import { type ListOptions, listOptions, printList } from '../lists.ts';
import type { Columns } from '../output/table.ts';
import type { Session } from '../session.ts';

export function addDeployments(program: Command, define: Define): void {
  const parent = program
    .command('deployments')
    .summary('Deployments of a project')
    .description('Deployments of a project. `platform deploy` makes one.');

  define<ListOptions & DeploymentsListQuery>(parent, {
    name: 'list',
    summary: 'Lists the deployments, newest first',
    project: true,
    options: [
      ...listOptions,
      ['--environment <name>', 'only those to this environment'],
      ['--phase <phase>', 'only deployments in this phase', { choices: ['staged', 'current', 'superseded'] }],
      ['--sha <sha>', 'only those whose commit starts with it'],
    ],
    examples: ['deployments list --environment production', 'deployments list --sha 4b825dc --json'],
    run: (session, { environment, phase, sha, ...options }) => {
      const filters = { environment, phase, sha };
      const columns: Columns<Deployment> = {
        id: ({ id }) => id,
        // A rollback can only return to a deployment that was promoted.
        promoted: ({ promotedAt }) => promotedAt ?? 'never',
        phase: ({ phase: one }) => one,
        commit: ({ git }) => git?.sha.slice(0, 7),
        reason: ({ reason }) => reason,
        ...(environment === undefined && { environment: ({ environment: one }: Deployment) => one }),
        ref: ({ git }) => git?.ref,
      };
      return printList<DeploymentList>(
        session,
        options,
        (page) => session.project.deployments.list({ ...filters, ...page }),
        columns,
      );
    },
  });

  define(parent, {
    name: 'get <id>',
    summary: 'Shows a deployment',
    project: true,
    examples: ['deployments get dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4E'],
    run: async ({ project, out }, _options, id) => out.item(await project.deployments.get(checkId(id))),
  });

  define<ListOptions & DeploymentsChangesQuery>(parent, {
    name: 'changes <id>',
    summary: 'Lists the avatars and the documents that a deployment changes',
    project: true,
    options: [
      ...listOptions,
      ['--since <id>', 'compares with this deployment, and not with the one served before'],
    ],
    examples: ['deployments changes dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4E'],
    run: (session, { since, ...options }, id) => {
      const deployment = checkId(id);
      const columns: Columns<DeploymentChange> = {
        change: ({ change }) => change,
        kind: ({ kind }) => kind,
        id: (change) => change.id,
        name: ({ name }) => name,
        fields: ({ fields, paths }) => (paths.length > 0 ? paths : fields).join(', '),
      };
      return printList<DeploymentChangeList>(
        session,
        options,
        (page) => session.project.deployments.changes(deployment, { since, ...page }),
        columns,
      );
    },
  });

  define(parent, {
    name: 'config <id>',
    summary: 'Prints the configuration that a deployment has frozen, as JSON',
    project: true,
    examples: ['deployments config dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4E | jq .avatars'],
    run: async (session, _options, id) =>
      printConfig(session, await session.project.deployments.config(checkId(id))),
  });

  define(parent, {
    name: 'promote <id>',
    summary: 'Makes a deployment current, and removes the pin of a rollback',
    project: true,
    creates: true,
    examples: ['deployments promote dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4E --idempotency-key fixed-42'],
    run: async ({ project, out }, { idempotencyKey }, id) =>
      out.item(await project.deployments.promote(checkId(id), { idempotencyKey })),
  });
}

export function addEnvironments(program: Command, define: Define): void {
  const parent = program
    .command('environments')
    .summary('Environments of a project')
    .description('Environments of a project, and the deployment that each environment serves.');

  define<ListOptions>(parent, {
    name: 'list',
    summary: 'Lists the environments',
    project: true,
    options: listOptions,
    examples: ['environments list', 'environments list --json | jq "select(.pinned)"'],
    run: (session, options) =>
      printList(session, options, (page) => session.project.environments.list(page), {
        name: ({ name }) => name,
        current: ({ current }) => current,
        pinned: ({ pinned }) => (pinned ? 'yes' : 'no'),
        updated: ({ updatedAt }) => updatedAt,
        previous: ({ previous }) => previous,
      }),
  });

  define(parent, {
    name: 'get <name>',
    summary: 'Shows an environment',
    project: true,
    examples: ['environments get production'],
    run: async ({ project, out }, _options, name) =>
      out.item(await project.environments.get(checkName(name))),
  });

  define<{ yes?: boolean }>(parent, {
    name: 'delete <name>',
    summary: 'Deletes an environment, such as the preview of a pull request',
    details:
      'Its deployments stay readable. Calls can search its index for 7 more days, unless another environment has it, too.',
    project: true,
    options: [['--yes', 'without a question']],
    examples: ['environments delete pr-17 --yes'],
    async run({ project, shell, out }, { yes }, name) {
      await confirm(shell, `Delete the environment ${checkName(name)}? It serves nothing afterwards.`, yes);
      await out.item(await project.environments.delete(name));
    },
  });

  define<{ unit?: string }>(parent, {
    name: 'config <name>',
    summary: 'Prints the configuration that a runtime reads, as JSON',
    project: true,
    options: [['--unit <text>', 'the configuration of this user, while a rollout runs']],
    examples: [
      'environments config production | jq .configHash',
      'environments config production --unit user-7 | jq .rollout',
    ],
    run: async (session, { unit }, name) =>
      printConfig(session, await session.project.environments.config(checkName(name), { unit })),
  });
}

const printConfig = ({ out, shell }: Session, config: EnvironmentConfig): Promise<void> =>
  out.jsonText(config, shell.stdout.isTTY && !out.json ? 2 : undefined);

/** @throws CliError if the text cannot be the name of an environment */
export function checkName(name: string): string {
  if (!/^[a-z0-9-]{1,40}$/.test(name))
    throw usageError(`This is not the name of an environment: ${JSON.stringify(name)}`);
  return name;
}
