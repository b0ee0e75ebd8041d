/** The commands of rollouts: a part of the users gets another deployment, the candidate. */

import type { Command } from 'commander';
import type { Rollout, RolloutList, RolloutOnBreach } from '../../../clients/typescript/src/index.ts';
import { type CommandSpec, type Define, wholeNumber } from '../command.ts';
import { usageError } from '../errors.ts';
import { type ListOptions, listOptions, printList } from '../lists.ts';
import { idOf } from '../resources.ts';
import { guardFrom, percentFrom, stepFrom } from '../rollouts/parse.ts';
import { printRollout } from '../rollouts/show.ts';
import { waitForRollout } from '../rollouts/wait.ts';
import type { Session } from '../session.ts';
import { checkName } from './deployments.ts';

type WaitOptions = { wait?: boolean; timeout?: number };
type ReasonOptions = { reason?: string };
type StartOptions = WaitOptions &
  ReasonOptions & {
    deployment?: string;
    percent?: number;
    step?: string[];
    guard?: string[];
    onBreach?: RolloutOnBreach;
  };

const waitOptions = [
  ['--wait', 'waits until the rollout has ended, or waits for advance'],
  [
    '--timeout <seconds>',
    'waits at most this long, and then exits with 13',
    { parse: wholeNumber('--timeout', 1, 31 * 86_400) },
  ],
] as const;

const reasonOption = ['--reason <text>', 'why'] as const;

const waitHelp =
  'The exit code of a wait is 0 if the rollout has completed or waits for advance, 12 if a guard has rolled it back, 7 if it was ' +
  'aborted or paused, and 13 if --timeout has passed.';

/** Prints the rollout, or waits for it. */
function show(session: Session, rollout: Rollout, { wait, timeout }: WaitOptions): Promise<void> {
  if (wait || timeout !== undefined)
    return waitForRollout(session, rollout, { environment: rollout.environment, timeout });
  return printRollout(session, rollout);
}

export function addRollout(program: Command, define: Define): void {
  const parent = program
    .command('rollout')
    .summary('Releases a deployment to a part of the users, and stops it if it harms')
    .description(
      'Releases a deployment of an environment, the candidate, to a part of the users. Guards compare it with the current ' +
        'deployment by scores, and stop it if it harms.',
    );
  addStart(parent, define);
  addReads(parent, define);
  addMoves(parent, define);
}

function addStart(parent: Command, define: Define): void {
  define<StartOptions>(parent, {
    name: 'start <environment>',
    summary: 'Starts a rollout',
    details:
      'With --percent, the rollout stays there until `rollout update`, `complete` or `abort`. With --step, several times, it rises ' +
      'by itself: after each step that was held, if all guards pass.\n\n' +
      'A guard is NAME:higher|lower:MAX_HARM: the score, which values are better, and how much worse the candidate may be, in the ' +
      'unit of the score (0.05 is 5 points of a share). Further parts are :minimum=N (units on each side, 50), ' +
      ':max-unknown=SHARE (units without a value, 0.2) and, as the last one, :value=CATEGORY.\n\n' +
      waitHelp,
    project: true,
    creates: true,
    options: [
      ['--deployment <id>', 'the candidate: a deployment of this environment that is not current'],
      ['--percent <n>', 'the share of the users that get the candidate', { parse: percentFrom }],
      [
        '--step <step>',
        'a percent, and how long it is held, or pause: 10:60m, 25:1h, 50:pause; several times',
        { repeat: true },
      ],
      ['--guard <guard>', 'a guard, such as solved:higher:0.05; at most 5', { repeat: true }],
      [
        '--on-breach <action>',
        'what a breached guard does (default: roll_back)',
        { choices: ['roll_back', 'pause'] },
      ],
      reasonOption,
      ...waitOptions,
    ],
    examples: [
      'rollout start production --deployment dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4E --step 10:60m --step 50:pause --guard solved:higher:0.05',
      'rollout start production --deployment dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4E --percent 5 --guard mood:lower:0.03:minimum=200:value=angry',
    ],
    async run(session, options, name) {
      const { deployment, percent, step, guard, onBreach, reason, idempotencyKey } = options;
      const environment = checkName(name ?? '');
      if (deployment === undefined)
        throw usageError(
          '--deployment is required.',
          'Make a candidate: platform deploy --no-promote. To list them: platform deployments list --phase staged',
        );
      if ((percent === undefined) === (step === undefined))
        throw usageError('--percent or --step is required, and not both.');
      const body = {
        deploymentId: await idOf(session, 'deployment', deployment),
        ...(percent !== undefined && { percent }),
        ...(step && { steps: step.map(stepFrom) }),
        ...(guard && { guards: guard.map(guardFrom) }),
        onBreach,
        reason,
      };
      const { rollouts } = session.project;
      await show(session, await rollouts.start(environment, body, { idempotencyKey }), options);
    },
  });
}

function addReads(parent: Command, define: Define): void {
  define<WaitOptions>(parent, {
    name: 'status <environment>',
    summary: 'Shows the rollout that runs, or the last one, with its guards',
    details: `Without --wait, the exit code does not depend on the rollout. ${waitHelp}`,
    project: true,
    options: waitOptions,
    examples: [
      'rollout status production',
      'rollout status production --wait --timeout 7200',
      "rollout status production --jq '.comparison.guards[] | [.score, .verdict]'",
    ],
    async run(session, { wait, timeout }, name) {
      const environment = checkName(name ?? '');
      const rollout = await session.project.rollouts.get(environment);
      if (wait || timeout !== undefined) await waitForRollout(session, rollout, { environment, timeout });
      else await printRollout(session, rollout);
    },
  });

  define<ListOptions>(parent, {
    name: 'list <environment>',
    summary: 'Lists the rollouts, newest first',
    project: true,
    options: listOptions,
    examples: ['rollout list production'],
    run: (session, options, name) =>
      printList<RolloutList>(
        session,
        options,
        (page) => session.project.rollouts.list(checkName(name ?? ''), page),
        {
          id: ({ id }) => id,
          status: ({ status }) => status,
          percent: ({ percent }) => percent,
          candidate: ({ deploymentId }) => deploymentId,
          started: ({ createdAt }) => createdAt,
          since: ({ since }) => since,
          reason: ({ reason }) => reason,
        },
      ),
  });
}

function addMoves(parent: Command, define: Define): void {
  define<ReasonOptions & WaitOptions>(parent, {
    name: 'advance <environment>',
    summary: 'Begins the next step at once, whatever the guards say',
    details: `After the last step, the candidate is promoted. ${waitHelp}`,
    project: true,
    creates: true,
    options: [reasonOption, ...waitOptions],
    examples: ['rollout advance production --reason "We have read fifty conversations."'],
    async run(session, { reason, idempotencyKey, ...options }, name) {
      const { rollouts } = session.project;
      const moved = await rollouts.advance(checkName(name ?? ''), { reason }, { idempotencyKey });
      await show(session, moved, options);
    },
  });

  define<ReasonOptions & { percent?: number }>(parent, {
    name: 'update <environment>',
    summary: 'Raises the percent',
    details: 'The percent only rises, so that a user who has the candidate keeps it.',
    project: true,
    options: [['--percent <n>', 'the new share (required)', { parse: percentFrom }], reasonOption],
    examples: ['rollout update production --percent 25'],
    async run(session, { percent, reason }, name) {
      const environment = checkName(name ?? '');
      if (percent === undefined) throw usageError('--percent is required.');
      await printRollout(session, await session.project.rollouts.update(environment, { percent, reason }));
    },
  });

  define<ReasonOptions>(parent, {
    name: 'pause <environment>',
    summary: 'Pauses a rollout: every user keeps what they have',
    details:
      'New users are assigned as before, no step is held, and a breached guard still ends the rollout.',
    project: true,
    options: [reasonOption],
    examples: ['rollout pause production --reason "The model is slow today."'],
    run: async (session, { reason }, name) =>
      printRollout(
        session,
        await session.project.rollouts.update(checkName(name ?? ''), { paused: true, reason }),
      ),
  });

  define<ReasonOptions & WaitOptions>(parent, {
    name: 'resume <environment>',
    summary: 'Lets a paused rollout go on',
    details: `A guard whose breach has paused the rollout does not pause it again. ${waitHelp}`,
    project: true,
    options: [reasonOption, ...waitOptions],
    examples: ['rollout resume production --wait'],
    async run(session, { reason, ...options }, name) {
      const { rollouts } = session.project;
      await show(session, await rollouts.update(checkName(name ?? ''), { paused: false, reason }), options);
    },
  });

  define(parent, endOf('complete'));
  define(parent, endOf('abort'));
}

/** The commands that end a rollout. */
function endOf(move: 'complete' | 'abort'): CommandSpec<ReasonOptions> {
  const isCompletion = move === 'complete';
  return {
    name: `${move} <environment>`,
    summary: isCompletion
      ? 'Promotes the candidate: everybody gets it'
      : 'Ends a rollout: everybody gets the current deployment',
    details: isCompletion
      ? 'If a rollback has pinned the environment, the pin ends.'
      : 'The environment is not pinned, so the next deployment is promoted. `platform rollback` also pins it.',
    project: true,
    creates: true,
    options: [reasonOption],
    examples: [`rollout ${move} production --reason "${isCompletion ? 'It is better.' : 'Not today.'}"`],
    run: async (session, { reason, idempotencyKey }, name) =>
      printRollout(
        session,
        await session.project.rollouts[move](checkName(name ?? ''), { reason }, { idempotencyKey }),
      ),
  };
}
