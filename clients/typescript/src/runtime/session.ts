/** A session of a runtime: one conversation, with the configuration and the knowledge with which it began. */

import { isRetryable } from '../core/backoff.ts';
import { ApiError, PlatformError } from '../core/errors.ts';
import type {
  Conversation,
  EnvironmentConfig,
  FrozenAvatar,
  KnowledgeSearchQuery,
  MessageRole,
  SearchHit,
} from '../generated/types.ts';
import type { Platform } from '../platform.ts';
import { deploymentConfig, forget, type Source, unitConfig } from './configuration.ts';
import { isDenied, SessionError, sessionErrorOf } from './errors.ts';
import { type Files, openFolder } from './folder.ts';
import { Journal, type JournalHead, journalName } from './journal.ts';
import type { BufferLimits } from './outbox.ts';
import { Sender } from './sender.ts';
import { lastNumberOf, type TurnMessage, turnOf } from './turn.ts';

export type SessionOptions = {
  /** The id of the project. */
  project: string;
  /** The name of the environment. */
  environment: string;
  /** The id of the avatar. */
  avatar: string;
  /** Your own id of the conversation, such as the id of a call. Another session with this id continues the conversation. */
  externalId: string;
  /** Your own id of the user. */
  externalUserId?: string | undefined;
  /**
   * Who gets the same variant of a rollout each time, at most 255 characters. Default: `externalUserId`. Without both, the
   * conversation has the current deployment, and is not compared. It is not sent: the conversation gets a part of its hash.
   */
  unit?: string | undefined;
  /** Where the conversation takes place, such as `phone`. */
  channel?: string | undefined;
  tags?: string[] | undefined;
  metadata?: Record<string, string> | undefined;
  /**
   * A folder for the last known configuration and for journals. In Node, Bun and Deno. Without it, turns that the service has not
   * taken are lost if the process is killed.
   */
  folder?: string | undefined;
  /** How long a call waits for a service that is away, in milliseconds. Default: 5 000. */
  patienceMs?: number | undefined;
  /** How much is buffered while the service is away. Default: 200 turns and 2 000 000 bytes. */
  buffer?: Partial<BufferLimits> | undefined;
  /** Gets sentences about what should be looked at, such as a full disk. Default: `console.warn`. */
  onWarning?: ((sentence: string) => void) | undefined;
};

/** A message that was said in the conversation. */
export type SaidMessage = { role: MessageRole; text: string; clientMessageId: string | null };

export type SearchOptions = Omit<KnowledgeSearchQuery, 'q' | 'environment' | 'deploymentId'> & {
  /** `empty` returns no hits while the service is away. Default: `error`. */
  whileAway?: 'error' | 'empty' | undefined;
};

const defaultPatienceMs = 5_000;
const defaultBuffer = { turns: 200, bytes: 2_000_000 };
const defaultDeadlineMs = 60_000;
/** More is rarely sent to a model, and a session that continues reads no more. */
const maxSaid = 100;
const maxQueryLength = 500;
const maxUnitLength = 255;

export class Session {
  readonly #source: Source;
  readonly #sender: Sender;
  readonly #avatarId: string;
  #config: EnvironmentConfig;
  #avatar: FrozenAvatar;
  /** The latest stored messages. */
  #said: readonly SaidMessage[] = [];

  /** @internal */
  constructor(
    source: Source,
    config: EnvironmentConfig,
    options: SessionOptions,
    head: JournalHead,
    journal: Journal | undefined,
  ) {
    this.#source = source;
    this.#avatarId = options.avatar;
    this.#config = config;
    this.#avatar = avatarIn(config, options.avatar);
    this.#sender = new Sender({
      conversations: source.platform.projects(source.project).conversations,
      me: (limits) => source.platform.me.get(limits),
      head,
      journal,
      limits: { ...defaultBuffer, ...options.buffer },
      patienceMs: source.patienceMs,
      warn: source.warn,
      onConversation: (conversation, callMs) => this.#adopt(conversation, callMs),
      onStored: (messages) => this.#say(messages.map(said)),
      onDenied: () => forget(source),
    });
  }

  /** @internal */
  start(): Promise<void> {
    return this.#sender.start();
  }

  /** The id of the conversation. Null until the service has responded for the first time. */
  get conversationId(): string | null {
    return this.#sender.head.conversationId;
  }

  /** The deployment with which the conversation began. */
  get deploymentId(): string {
    return this.#config.deploymentId;
  }

  /** The avatar as it was deployed. */
  get avatar(): FrozenAvatar {
    return this.#avatar;
  }

  /** The prompt of the avatar. */
  get prompt(): string {
    return this.#avatar.persona.prompt;
  }

  /** The last 100 messages of the conversation, those of earlier processes included. */
  get messages(): readonly SaidMessage[] {
    return this.#with(this.#sender.outbox.messages.map(said));
  }

  /** How many turns wait for the service. */
  get buffered(): number {
    return this.#sender.outbox.turns.length;
  }

  /**
   * Searches in the knowledge of the avatar, in the index of the deployment. Without knowledge tags, an avatar knows no documents:
   * nothing is asked then.
   * @param q at most 500 characters are used
   * @throws SessionError if the session has failed, or if the service is away; ApiError
   */
  async search(q: string, { whileAway = 'error', ...query }: SearchOptions = {}): Promise<SearchHit[]> {
    this.#sender.assertOpen();
    const { knowledgeTags } = this.#avatar;
    if (knowledgeTags.length === 0 || this.#config.knowledgeIndexVersion === null || q.trim() === '')
      return [];
    const { platform, project, patienceMs } = this.#source;
    const limits = { timeoutMs: patienceMs, deadlineMs: patienceMs };
    const all = { tag: knowledgeTags, tagMode: 'any' as const, limit: 5, ...query };
    try {
      const found = await platform
        .projects(project)
        .knowledge.search({ ...all, q: shortened(q), deploymentId: this.deploymentId }, limits);
      return found.items;
    } catch (error) {
      if (isDenied(error)) throw await this.#sender.fail(error);
      // A text of signs only has no word to search for.
      if (error instanceof ApiError && error.status === 400 && error.details.some(({ path }) => path === 'q'))
        return [];
      if (!(error instanceof PlatformError) || !isRetryable(error)) throw error;
      if (whileAway === 'empty') return [];
      throw new SessionError('unavailable', 'The service is away, so it cannot be searched.', {
        reason: error,
      });
    }
  }

  /**
   * Stores a turn: its messages, in one request. They are stored once and in order, also if the process is killed and continues.
   * @returns `stored`, or `buffered` if the service is away: the turn is sent as soon as the service is back
   * @throws TypeError for messages that the service would refuse. SessionError `buffer_full` and `journal_failed`, and ApiError: the
   *   turn was not taken. Any other SessionError: the session is over, and `unsent` has the messages that are not stored
   */
  async append(...messages: readonly TurnMessage[]): Promise<'stored' | 'buffered'> {
    return this.#sender.add(turnOf(messages, new Date().toISOString()));
  }

  /**
   * What the avatar has answered to a message, if the message was delivered to you again.
   * @param clientMessageId the id that the message of the user had in `append`
   * @returns undefined if none of the last 100 messages has this id
   */
  answerTo(clientMessageId: string): string | undefined {
    const { messages } = this;
    const at = messages.findIndex((message) => message.clientMessageId === clientMessageId);
    if (at < 0) return undefined;
    const after = messages.slice(at + 1);
    const end = after.findIndex(({ role }) => role === 'user');
    const answers = (end < 0 ? after : after.slice(0, end)).filter(({ role }) => role === 'avatar');
    return answers.map(({ text }) => text).join('\n');
  }

  /**
   * Waits until everything is stored.
   * @throws SessionError `unavailable` if this takes longer than `deadlineMs` (default: 60 000); nothing is lost by that
   */
  flush({ deadlineMs = defaultDeadlineMs }: { deadlineMs?: number | undefined } = {}): Promise<void> {
    return this.#sender.flush(deadlineMs);
  }

  /**
   * Stores what is buffered, and ends the conversation. Nothing of it stays in the folder.
   * @throws SessionError `unavailable` if this takes longer than `deadlineMs` (default: 60 000). Call `end` again, or `close`:
   *   `recoverSessions` ends the conversation then, if there is a folder
   */
  async end(
    reason = 'completed',
    { deadlineMs = defaultDeadlineMs }: { deadlineMs?: number | undefined } = {},
  ): Promise<void> {
    this.#sender.assertOpen();
    return this.#sender.end(reason, deadlineMs);
  }

  /**
   * Leaves the conversation open, so that another session can continue it. What the service has not taken stays in the journal.
   * @throws SessionError `unavailable` if there is no journal, and something was not stored
   */
  close(): Promise<void> {
    return this.#sender.close();
  }

  /**
   * The service has returned the conversation: its deployment counts, and what was said before.
   * @returns the highest number of its messages
   */
  async #adopt({ id, deploymentId, messageCount }: Conversation, callMs: number): Promise<number> {
    if (deploymentId !== null && deploymentId !== this.#config.deploymentId) {
      this.#config = await deploymentConfig(this.#source, deploymentId);
      this.#avatar = avatarIn(this.#config, this.#avatarId);
    }
    if (messageCount === 0) return 0;
    const { platform, project } = this.#source;
    const { conversations } = platform.projects(project);
    const afterSeq = Math.max(0, messageCount - maxSaid);
    const stored: SaidMessage[] = [];
    for await (const message of conversations.messages(id, {
      afterSeq,
      timeoutMs: callMs,
      deadlineMs: callMs,
    }))
      stored.push(said(message));
    this.#said = stored.slice(-maxSaid);
    return lastNumberOf(this.#said);
  }

  #say(messages: readonly SaidMessage[]): void {
    this.#said = this.#with(messages);
  }

  /** @returns the stored messages and these. A turn of a journal may have been stored before */
  #with(messages: readonly SaidMessage[]): readonly SaidMessage[] {
    const ids = new Set(this.#said.map(({ clientMessageId }) => clientMessageId));
    const others = messages.filter(
      ({ clientMessageId }) => clientMessageId === null || !ids.has(clientMessageId),
    );
    return [...this.#said, ...others].slice(-maxSaid);
  }
}

/**
 * Opens a session: starts the conversation, or continues it. Reads the configuration of the environment, at most every 30 seconds for
 * all sessions of the client. A conversation that continues keeps the deployment with which it began. While a rollout runs, a new
 * conversation has the variant of its `unit`.
 *
 * If the service is away and the configuration is known, the session begins without the service, and the conversation is started
 * later.
 * @throws SessionError `avatar_not_deployed`, `journal_locked`, `journal_failed`, `conversation_ended`, `conversation_erased`,
 *   `conversation_mismatch`, `external_id_taken`, `unauthorized`, `insufficient_scope`, `not_found`; ConnectionError if no
 *   configuration is known
 */
export async function openSession(platform: Platform, options: SessionOptions): Promise<Session> {
  const { project, environment, externalId, folder, patienceMs = defaultPatienceMs } = options;
  for (const name of ['project', 'environment', 'avatar', 'externalId'] as const)
    if (typeof options[name] !== 'string' || options[name] === '')
      throw new TypeError(`openSession needs ${name}, which is a text.`);
  const { unit = options.externalUserId } = options;
  if (options.unit !== undefined && !isUnit(options.unit))
    throw new TypeError('The unit of openSession is a text of 1 to 255 characters.');
  const warn = options.onWarning ?? ((sentence: string) => console.warn(`platform-api-client: ${sentence}`));
  const files = folder === undefined ? undefined : await opened(folder);
  const source: Source = { platform, project, files, patienceMs, warn };
  const where = { baseUrl: platform.baseUrl, project, externalId };
  const journal = files && (await Journal.open(files, journalName(files, where)));
  try {
    const earlier = journal?.head;
    // A session that continues needs the configuration of its deployment, whatever the environment serves now.
    const { config, assignment } = earlier?.deploymentId
      ? { config: await deploymentConfig(source, earlier.deploymentId), assignment: assignmentIn(earlier) }
      : await unitConfig(source, environment, unit);
    const { deploymentId } = config;
    const startedAt = earlier?.start.startedAt ?? new Date().toISOString();
    const head: JournalHead = {
      version: 1,
      ...where,
      environment,
      start: {
        ...startOf(options),
        deploymentId,
        startedAt,
        ...(assignment !== undefined && { assignment }),
      },
      conversationId: earlier?.conversationId ?? null,
      deploymentId,
      endReason: null,
    };
    const session = new Session(source, config, options, head, journal);
    await session.start();
    return session;
  } catch (error) {
    if (journal?.kept.length === 0) await journal.remove().catch(() => {});
    await journal?.release();
    throw error instanceof ApiError && !isRetryable(error) ? sessionErrorOf(error) : error;
  }
}

const isUnit = (unit: unknown) =>
  typeof unit === 'string' && unit !== '' && [...unit].length <= maxUnitLength;

/** A conversation that others have started may have another deployment than that of the assignment. */
const assignmentIn = ({ start, deploymentId }: JournalHead): string | undefined =>
  start.deploymentId === deploymentId ? (start.assignment ?? undefined) : undefined;

const startOf = ({
  avatar,
  externalUserId,
  channel,
  tags,
  metadata,
}: SessionOptions): JournalHead['start'] => ({
  avatarId: avatar,
  ...(externalUserId !== undefined && { externalUserId }),
  ...(channel !== undefined && { channel }),
  ...(tags !== undefined && { tags }),
  ...(metadata !== undefined && { metadata }),
});

async function opened(folder: string): Promise<Files> {
  try {
    return await openFolder(folder);
  } catch (error) {
    throw new SessionError(
      'journal_failed',
      `The folder ${folder} cannot be used: ${error instanceof Error ? error.message : error}`,
    );
  }
}

function avatarIn({ avatars, environment, deploymentId }: EnvironmentConfig, id: string): FrozenAvatar {
  const avatar = avatars.find((one) => one.id === id);
  if (avatar) return avatar;
  throw new SessionError(
    'avatar_not_deployed',
    `The deployment ${deploymentId} of the environment ${environment} does not have the avatar ${id}.`,
  );
}

const said = ({
  role,
  text,
  clientMessageId = null,
}: {
  role: MessageRole;
  text: string;
  clientMessageId?: string | null | undefined;
}): SaidMessage => ({ role, text, clientMessageId });

/** Not in the middle of a character. */
const shortened = (q: string) =>
  q.length <= maxQueryLength ? q : q.slice(0, maxQueryLength).replace(/[\uD800-\uDBFF]$/, '');
