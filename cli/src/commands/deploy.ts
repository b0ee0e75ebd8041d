/** The commands `deploy` and `rollback`. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import type { CreatedDeployment } from '../../../clients/typescript/src/index.ts';
import { checkId, type Define } from '../command.ts';
import {
  type DeployPlan,
  environmentNamed,
  type PromotedSource,
  planDeployment,
  planPromotion,
} from '../deploy/plan.ts';
import { defaultEnvironment, targetOf } from '../deploy/target.ts';
import { CliError, usageError } from '../errors.ts';
import type { Output } from '../output/output.ts';
import { safeLine } from '../output/text.ts';
import type { Shell } from '../shell.ts';
import { checkName } from './deployments.ts';

type DeployOptions = {
  environment: string;
  from?: string;
  ifChanged?: boolean;
  sha?: string;
  ref?: string;
  reason?: string;
  promote: boolean;
  strict?: boolean;
  strictNotes?: boolean;
  dryRun?: boolean;
  exitCode?: boolean;
};

const environmentOption = [
  '--environment <name>',
  'the environment',
  { default: defaultEnvironment },
] as const;

export function addDeploy(program: Command, define: Define): void {
  define<DeployOptions>(program, {
    name: 'deploy',
    summary: 'Deploys the active avatars and the published index, or what another environment serves',
    details:
      'With --from, the environment gets exactly what another environment serves, whatever has changed in the project since.\n\n' +
      'Exits with 9 if a rollback has pinned the environment, or if a rollout runs in it: the deployment is made, but stays staged ' +
      'until you promote it.',
    project: true,
    creates: true,
    options: [
      environmentOption,
      [
        '--from <environment>',
        'what this environment serves, or the deployment with this id, in place of the project',
      ],
      ['--if-changed', 'only if the environment serves another state'],
      ['--sha <sha>', 'the commit that it belongs to'],
      ['--ref <ref>', 'its branch or tag (default: the ref that CI names, or the current branch)'],
      ['--reason <text>', 'why'],
      ['--no-promote', 'leaves it staged'],
      ['--strict', 'makes every warning an error, except documents read in part: nothing is deployed'],
      ['--strict-notes', 'makes documents that were read in part an error'],
      ['--dry-run', 'shows which avatars and documents would change'],
      ['--exit-code', 'exits with 10 if nothing has changed'],
    ],
    examples: [
      'deploy --if-changed --sha "$(git rev-parse HEAD)"',
      'deploy --environment staging --dry-run',
      'deploy --environment prod --from staging',
      'deploy --if-changed --idempotency-key "deploy-$GITHUB_RUN_ID"',
    ],
    async run({ project, shell, out }, options) {
      const { from, ifChanged, reason, promote, strict, strictNotes, dryRun, exitCode, idempotencyKey } =
        options;
      const environment = checkName(options.environment);
      const source = from === undefined ? undefined : sourceFrom(from);
      if (source && (options.sha !== undefined || strict || strictNotes))
        throw usageError(
          '--from takes the commit of its deployment, and has no warnings: leave out --sha, --strict and --strict-notes.',
        );
      const git = await gitFrom(shell, options);
      if (dryRun) {
        const plan =
          source === undefined
            ? await planDeployment(project, environment)
            : await planPromotion(project, environment, source);
        await printPlan(out, plan);
        if (strict && plan.warnings.length > 0)
          throw new CliError('conflict', 'The deployment would have warnings, so --strict would refuse it.');
        if (strictNotes && plan.readInPart !== null)
          throw new CliError('conflict', 'Documents were read in part, so --strict-notes would refuse it.');
        if (exitCode && !plan.changes) throw new CliError('unchanged', 'There was nothing to change.');
        return;
      }
      const isStrict = { ...(strict && { strict }), ...(strictNotes && { strictNotes }) };
      const body = { environment, from: source, git, reason, promote, ifChanged, ...isStrict };
      const { data, response } = await project.deployments.create(body, { idempotencyKey }).withResponse();
      const { warnings, ...deployment } = data;
      await out.item(out.json ? data : deployment);
      for (const warning of warnings) printWarning(out, warning);
      // The status is 201 for a new deployment, and 200 for the deployment that is served already.
      const isNew = response.status === 201;
      if (!isNew) out.note(`Nothing has changed: ${environment} still serves ${data.id}.`);
      if (data.heldBack) throw heldBackError(data);
      if (exitCode && !isNew) throw new CliError('unchanged', 'There was nothing to change.');
    },
  });

  define<{ environment: string; to?: string; reason?: string; dryRun?: boolean }>(program, {
    name: 'rollback',
    summary: 'Serves the previous deployment again, and pins the environment',
    details:
      'Until you promote a deployment, new deployments stay staged, so that CI does not undo the rollback.',
    project: true,
    creates: true,
    options: [
      environmentOption,
      [
        '--to <deployment>',
        'this deployment: its id, or the start of its commit (default: the previous deployment)',
      ],
      ['--reason <text>', 'why'],
      ['--dry-run', 'shows the deployment that would be served'],
    ],
    examples: [
      'rollback --reason "It greets strangers by name." --idempotency-key incident-42',
      'rollback --dry-run',
      'rollback --to 4b825dc',
    ],
    async run(session, { environment: name, to: text, reason, dryRun, idempotencyKey }) {
      const { project, out } = session;
      const environment = checkName(name);
      const to = text === undefined ? undefined : await targetOf(session, environment, text);
      if (!dryRun) {
        const body = { environment, reason, ...(to !== undefined && { deploymentId: to }) };
        await out.item(await project.deployments.rollback(body, { idempotencyKey }));
        return;
      }
      const state = await environmentNamed(project, environment);
      const targetId = to ?? state?.previous;
      if (!state?.current || !targetId)
        throw new CliError('conflict', `There is nothing to roll back in ${environment}.`);
      const [from, target] = await Promise.all([
        project.deployments.get(state.current),
        project.deployments.get(targetId),
      ]);
      const versions = new Map(from.avatars.map(({ avatarId, version }) => [avatarId, version]));
      const changes = target.avatars
        .map(({ avatarId, version }) => ({ avatarId, from: versions.get(avatarId) ?? null, to: version }))
        .filter((change) => change.from !== change.to);
      const removals = from.avatars
        .filter(({ avatarId }) => !target.avatars.some((avatar) => avatar.avatarId === avatarId))
        .map(({ avatarId, version }) => ({ avatarId, from: version, to: null }));
      const index = { from: from.knowledgeIndexVersion, to: target.knowledgeIndexVersion };
      const plan = {
        environment,
        from: from.id,
        to: target.id,
        avatars: [...changes, ...removals],
        knowledgeIndexVersion: index,
      };
      await out.item(plan);
    },
  });
}

function heldBackError({ id, environment, heldBackReason }: CreatedDeployment): CliError {
  if (heldBackReason === 'rollout')
    return new CliError(
      'heldBack',
      `A rollout runs in ${environment}, so ${id} stays staged.`,
      `Look at it: platform rollout status ${environment}. When it has ended: platform deployments promote ${id}`,
    );
  return new CliError(
    'heldBack',
    `A rollback has pinned ${environment}, so ${id} stays staged.`,
    `Promote it when the reason of the rollback is gone: platform deployments promote ${id}`,
  );
}

const sourceFrom = (text: string): PromotedSource =>
  text.startsWith('dep_') ? { deploymentId: checkId(text) } : { environment: checkName(text) };

function printWarning(out: Output, { message, documents }: CreatedDeployment['warnings'][number]): void {
  out.warn(message);
  for (const { documentId, title, message: problem, code } of documents)
    out.note(
      `  ${documentId}  ${title === null ? '' : `${safeLine(title)}: `}${safeLine(problem)} (${safeLine(code)})`,
    );
}

async function printPlan(out: Output, plan: DeployPlan): Promise<void> {
  if (out.json) return out.jsonLine(plan);
  const { environment, current, pinned, rollout, avatars, documents, knowledgeIndexVersion, changes } = plan;
  await out.text(current ? `${environment} serves ${current}.` : `${environment} serves nothing yet.`);
  if (!changes) await out.text('A deployment would change nothing.');
  if (avatars.length > 0)
    await out.rows(avatars, {
      avatar: ({ name }) => name,
      id: ({ avatarId }) => avatarId,
      change: ({ change }) => change,
      version: ({ from, to }) => [from, to].map((version) => version ?? '–').join(' → '),
    });
  const { from, to } = knowledgeIndexVersion;
  if (from !== to) await out.text(`index ${from ?? '–'} → ${to ?? '–'}`);
  if (documents.length > 0)
    await out.rows(documents, {
      document: ({ title }) => title,
      id: ({ documentId }) => documentId,
      change: ({ change }) => change,
      reason: ({ reason }) => reason,
    });
  for (const warning of plan.warnings) out.warn(warning);
  if (plan.readInPart !== null) out.warn(plan.readInPart);
  if (rollout !== null) out.warn(`The rollout ${rollout} runs: the deployment would stay staged.`);
  else if (pinned) out.warn('A rollback has pinned the environment: the deployment would stay staged.');
}

/** The variables in which CI services name the branch or tag. */
const variables = [
  'GITHUB_REF_NAME',
  'CI_COMMIT_REF_NAME',
  'BITBUCKET_BRANCH',
  'CIRCLE_BRANCH',
  'BUILDKITE_BRANCH',
];

/**
 * @returns the commit with its branch or tag: `--ref`, what CI says, or the branch of the current folder
 * @throws CliError if the branch or tag is not known
 */
async function gitFrom(
  { env, cwd }: Pick<Shell, 'env' | 'cwd'>,
  { sha, ref }: { sha?: string | undefined; ref?: string | undefined },
): Promise<{ sha: string; ref: string } | undefined> {
  if (sha === undefined && ref !== undefined) throw usageError('--ref needs --sha.');
  if (sha === undefined) return undefined;
  const refName = ref ?? variables.map((name) => env[name]).find(Boolean) ?? (await branch(cwd));
  if (refName === undefined) throw usageError('Which branch or tag is this commit of? Add --ref.');
  return { sha, ref: refName };
}

async function branch(cwd: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('git', ['symbolic-ref', '--short', 'HEAD'], { cwd });
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}
