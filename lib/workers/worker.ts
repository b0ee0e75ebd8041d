/**
 * Workers do the work after the response. The item that asks for the work is the message: the dispatcher reads the table's
 * stream and puts a notice of each wanted change into the worker's queue, so no work is lost between a commit and a queue. The
 * Lambda function, its IAM policy, its queues, its alarms and the dev server are derived from the declaration in workers/.
 */

import type { Mode } from '../base/caller.ts';
import type { FileAction, Files } from '../base/files.ts';
import type { IdKind } from '../base/ids.ts';
import type { LogLine } from '../base/log.ts';
import type { Quotas } from '../base/stage-limits.ts';
import { minuteMs } from '../base/time.ts';
import type { Refusal } from '../dynamodb/commit.ts';
import type { ProjectStore, Store } from '../dynamodb/store.ts';
import { type Access, mergeAccess, type TableName } from '../dynamodb/tables.ts';
import type { Item, Write } from '../dynamodb/write.ts';
import type { ModelClient } from '../models/models.ts';
import type { UrlRules } from '../network/addresses.ts';
import type { Network } from '../network/network.ts';
import type { Suspendable } from '../organisations/suspensions.ts';
import type { Fence } from '../runtime/fence.ts';
import type { SecretBox } from '../runtime/secret-box.ts';
import type { Change } from './change.ts';
import type { Notice, Notices } from './notice.ts';
import type { Turn } from './turn.ts';

export type { Item, Write };

export type Worker = {
  /** The name of its file in workers/. Also the construct's id and the metric's dimension. */
  id: string;
  /** The description of its function. */
  summary: string;
  /** The tables whose changes it gets. */
  sources: readonly TableName[];
  /**
   * @returns whether the worker must get a notice of this change of its table. Pure: the dispatcher calls it, and calls it
   *   twice for a change that is sent twice. If it throws, the worker gets the notice
   */
  wants(change: Change): boolean;
  /**
   * The further content of its notices besides keys and stamps, for a worker that cannot read the change again later. Then
   * several changes of an item are several notices, and a change without such content (undefined) causes no notice. Pure, like
   * `wants`.
   */
  detail?(change: Change): unknown;
  /** The actions that it uses, by table. A test compares them with the actions that the worker takes. */
  access: Access;
  /** Its actions on files. */
  files: readonly FileAction[];
  memoryMb: number;
  /**
   * How a notice gives its place back in time, whatever the caller has stored:
   * `turn`: the worker calls `checkTurn` between its pieces, and has stored its position before.
   * `whole`: the work is one piece, which the time limit of the function bounds.
   * `short`: the work takes seconds.
   */
  ends: 'turn' | 'whole' | 'short';
  /**
   * The longest piece of its work that cannot be divided, if it may take more than five seconds. Then one organisation gets at most
   * half of the worker's places (places.ts). A notice takes a place before its work (`start`), or, because most notices have no
   * long piece, before it first goes `outside`, or when the worker calls `takePlace` for it.
   */
  longPiece?: { maxSeconds: number; from: 'start' | 'outside' | 'takePlace' };
  /** How many places one organisation gets, in place of half of them. */
  placesOf?: (quotas: PlaceQuotas) => number;
  timeoutSeconds: number;
  /** The largest number of notices per invocation. */
  batchSize: number;
  /** How long Lambda collects a batch. AWS wants at least 1 for more than 10 notices. */
  batchingSeconds: number;
  /** How many invocations run at the same time, at least 2, so that no worker takes the capacity of the API. */
  maxConcurrency: number;
  /** How long each notice waits in the queue before it is delivered: 0 to 900. */
  delaySeconds: number;
  /** Whether it decrypts secrets: `secretBox`. */
  decrypts: boolean;
  /** Whether it asks models: `models`. */
  models: boolean;
  /** Whether it also asks models for streamed answers. */
  streams: boolean;
  /** Whether it handles the groups of an organisation at the same time, instead of one after the other. */
  atOnce: boolean;
  /** Whether it gets the notices of all projects of a tenant in one call. */
  acrossProjects: boolean;
  /**
   * What happens to its work while the organisation is suspended. Work that sends something out, or that costs and removes
   * nothing, waits: its notices come again when the organisation is resumed. Everything else continues, and has no `outside`.
   */
  whileSuspended: WhileSuspended;
  /**
   * Whether a worker that waits removes data, too. Then it also gets notices during a suspension: what removes data continues, and
   * `goOn`, `outside` and the steps of jobs stop everything else.
   */
  removes: boolean;
  /** The consequence for users while notices fail: the text of its alarms. */
  impact: string;
  /** The steps for operators after it has given up on a notice, besides `npm run redrive`. In docs/runbook.md. */
  remedy?: string;
  /**
   * Notices come at least once, late and in any order. So `handle` reads the current state, and may be repeated: it is called
   * again if it throws. It is not called for a deleted organisation. All notices of a call are of one tenant and one project
   * (or all of its projects, if it is `acrossProjects`), at most one per item (or per change, if it has `detail`).
   */
  handle(notices: Notices, input: WorkerInput): Promise<void>;
};

/** The settings of a worker whose notices take long, so each is a batch of its own. */
const longWork = {
  files: [] as readonly FileAction[],
  memoryMb: 512,
  batchSize: 1,
  batchingSeconds: 0,
  maxConcurrency: 10,
  delaySeconds: 0,
  decrypts: false,
  models: false,
  streams: false,
  atOnce: false,
  acrossProjects: false,
  removes: false,
};

/** Each run reads whether its organisation is being deleted. */
const organisationAccess: Access = { organisations: ['GetItem'] };

/** Notices that wait are in the schedule. */
const waitingAccess: Access = { schedule: ['GetItem', 'PutItem', 'DeleteItem'] };

/** Places, and the notices that wait for one, are in the schedule, too. */
const placesAccess: Access = { schedule: ['GetItem', 'Query', 'PutItem', 'DeleteItem'] };

/** A turn of a minute, and its last piece, end in time. */
const timeLimits = { turn: 240, whole: 180, short: 60 } as const;

type Optional = typeof longWork & Pick<Worker, 'timeoutSeconds'>;

export const defineWorker = (declaration: Omit<Worker, keyof Optional> & Partial<Optional>): Worker => ({
  ...longWork,
  timeoutSeconds: timeLimits[declaration.ends],
  ...declaration,
  access: mergeAccess(
    declaration.access,
    organisationAccess,
    declaration.whileSuspended === 'waits' ? waitingAccess : {},
    declaration.longPiece ? placesAccess : {},
  ),
});

/** Handles one notice after the other, each in its project. */
export const forEachNotice =
  (
    handleOne: (store: ProjectStore, notice: Notice, input: WorkerInput) => Promise<unknown>,
  ): Worker['handle'] =>
  async (notices, input) => {
    for (const notice of notices) {
      const [projectId = ''] = notice.partition;
      await handleOne(input.store.inProject(projectId), notice, input);
    }
  };

/** The quotas that say how many places an organisation has. */
export type PlaceQuotas = { readonly replies?: number | undefined };

export type WhileSuspended = 'waits' | 'continues';

/** What acts outside the tables, or reads what a caller has sent. */
export type Outside = {
  network: Network;
  /** The models, for a worker that declares `models`. */
  models: Pick<ModelClient, 'converse' | 'stream'>;
  files: Pick<Files, 'read' | 'put'>;
};

/** The store is bound to the tenant of the notices. */
export type WorkerInput = {
  store: Store;
  /** @returns the store of the same organisation in a mode */
  inMode(mode: Mode): Store;
  /** The suspensions of the organisation when the run began. */
  organisation: Suspendable;
  /** Reads the organisation as it is now, with strong consistency. */
  readOrganisation(): Promise<Suspendable | undefined>;
  /**
   * @returns the organisation as it is now, read with strong consistency
   * @throws Suspended if the worker waits while the organisation is suspended
   */
  goOn(): Promise<Suspendable>;
  /** Call this before each request, each call of a model and each file. @throws Suspended */
  outside(): Promise<Outside>;
  /**
   * Takes a place of the organisation for a notice whose piece may take long.
   * @returns false if there is none: the notice waits in an item, and comes again. Its work ends
   */
  takePlace(notice: Notice): Promise<boolean>;
  /** Leaves the place of a notice, while the work on other notices goes on. Without a call, it ends with them. */
  leavePlace(notice: Notice): Promise<void>;
  /** Writes all or nothing. @returns undefined if all was written */
  commit(writes: readonly Write[]): Promise<Refusal | undefined>;
  /**
   * Writes each item on its own, without conditions and stamps. If it throws, some may be written.
   * @param signal stops it
   */
  writeEach(writes: readonly Write[], signal?: AbortSignal): Promise<void>;
  fence: Fence;
  files: Pick<Files, 'remove'>;
  nowMs(): number;
  newId(kind: IdKind): string;
  sleep(ms: number): Promise<unknown>;
  /** The time until Lambda ends the function. */
  remainingMs(): number;
  /** How long events stay in the audit log. */
  auditDays: number;
  /** The time of this run: `checkTurn` in turn.ts. */
  turn: Turn;
  /**
   * The notice comes again after this time, whole seconds from 0 to 900, although this run does not fail. Only a few times in a
   * row: after them, put the notice into the schedule (lib/workers/schedule), or fail. It may also be the notice of another item,
   * whose work starts then.
   * @returns whether the notice comes again
   */
  later(notice: Notice, seconds: number): boolean;
  /** The box for secrets, for a worker that declares `decrypts`. */
  secretBox: Pick<SecretBox, 'decrypt'>;
  /** The models of the stage, for a worker that declares `models`. */
  models: Pick<ModelClient, 'listed'>;
  /** The quotas of the tenant, for a worker that declares `models`. */
  quotas: Quotas;
  /** The rules for URLs that callers choose. */
  network: UrlRules;
  elapsedMs(): number;
  /** A random number from 0 to below 1. */
  randomFraction(): number;
  log(line: LogLine): void;
};

/** With less time left, a run stops, and the next run continues. */
export const minRemainingMs = minuteMs;

const variable = (id: string): string => id.toUpperCase().replaceAll('-', '_');

/** The environment variable with the URL of a worker's queue. */
export const queueVariable = (workerId: string): string => `${variable(workerId)}_QUEUE`;
/** The environment variable with the URL of a dead-letter queue. */
export const deadLettersVariable = (id: string): string => `${variable(id)}_DEAD_LETTERS`;

/**
 * The names are fixed, so that `npm run redrive` and `npm run replay` find the queues. SQS allows 80 characters: a stage has at
 * most 20, a worker 31, and the dead letters 13 more.
 */
export const queueName = (stage: string, workerId: string): string => `PlatformApi-${stage}-${workerId}`;
/** @param id of a worker, or of the dispatcher */
export const deadLettersName = (stage: string, id: string): string => `${queueName(stage, id)}-dead-letters`;
