/** Why a session cannot do what it should. */

import { ApiError, named, PlatformError } from '../core/errors.ts';
import type { MessageInput } from '../generated/types.ts';

/** The codes of the kit. The other codes are those of the API. */
export type SessionErrorCode =
  /** The deployment does not have the avatar. */
  | 'avatar_not_deployed'
  /** The buffer is full, because the service is away. The turn was not taken. */
  | 'buffer_full'
  /** The journal cannot be read or written. The turn was not taken. */
  | 'journal_failed'
  /** Another process has the journal open. */
  | 'journal_locked'
  /** Another process has continued the conversation. */
  | 'other_process'
  /** The service refuses a turn that was buffered. */
  | 'refused'
  /** The session was ended or closed. */
  | 'session_closed'
  /** The service does not respond. */
  | 'unavailable'
  // The code of an API error that ends the session, such as `conversation_erased`, `conversation_ended` or `unauthorized`.
  | (string & {});

/** A session cannot go on, or cannot take a turn. */
export class SessionError extends PlatformError {
  static {
    named(SessionError, 'SessionError');
  }

  readonly code: SessionErrorCode;
  /** The messages that the service has not taken, in order. */
  declare readonly unsent: readonly MessageInput[];
  /** The error of the API, or of the connection, behind it. */
  declare readonly reason: PlatformError | undefined;

  constructor(
    code: SessionErrorCode,
    message: string,
    { unsent = [], reason }: { unsent?: readonly MessageInput[]; reason?: PlatformError | undefined } = {},
  ) {
    super(message);
    this.code = code;
    // What prints an error would show what people have said.
    Object.defineProperty(this, 'unsent', { value: unsent });
    Object.defineProperty(this, 'reason', { value: reason });
  }
}

/** Whether the key is not accepted (any more), or lacks a right. */
export const isDenied = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status === 401 || error.status === 403);

/** The codes after which no request and no key can store the turns that are left. */
const over = ['conversation_ended', 'conversation_erased', 'other_process', 'refused'];

/** A deleted project can be restored for so long. */
const restorableMs = 7 * 24 * 3_600_000;

/**
 * @param ageMs of the latest turn
 * @returns whether the turns in a journal can never be stored. A project that is not there may be deleted, or only hidden from this key:
 *   another key, or a restore of the project, brings it back
 */
export const isOver = ({ code }: SessionError, ageMs: number): boolean =>
  over.includes(code) || (code === 'not_found' && ageMs > restorableMs);

/** Whether the service does not have what the path names, or hides it. */
export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** Whether the service refuses the assignment of a new conversation. A restore may have lost its rollout. */
export const isAboutAssignment = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  error.status === 400 &&
  error.details.some(({ path }) => path === 'assignment');

const sentences: Readonly<Record<string, string>> = {
  conversation_ended: 'The conversation has ended, so it takes no further turns.',
  conversation_erased: 'The conversation was erased, so it takes no further turns.',
  conversation_mismatch:
    'The external id belongs to a conversation with another avatar, user or channel. Choose another external id.',
  external_id_taken: 'Another credential has used this external id. Choose another external id.',
  not_found: 'The project or its environment does not exist, or the key may not see it.',
  other_process: 'Another process has continued this conversation, so this session has ended.',
  refused: 'The service refuses a turn that was buffered.',
};

/**
 * @param unsent the messages that the service has not taken
 * @param sent the messages of the request, as they were without numbers
 * @returns the error of a session that the service's refusal ends
 */
export function sessionErrorOf(
  error: ApiError,
  unsent: readonly MessageInput[] = [],
  sent: readonly MessageInput[] = [],
): SessionError {
  const code = codeOf(error, sent);
  const sentence = sentences[code];
  const message = sentence === undefined ? error.message : `${sentence} ${error.message}`;
  return new SessionError(code, message, { unsent, reason: error });
}

export const erasedError = (unsent: readonly MessageInput[]): SessionError =>
  new SessionError('conversation_erased', sentences.conversation_erased ?? '', { unsent });

/** Whether the service refuses what was sent, and would take another turn. */
export const isRefusal = (error: unknown, sent: readonly MessageInput[]): boolean =>
  error instanceof ApiError && codeOf(error, sent) === 'refused';

function codeOf({ status, code, details }: ApiError, sent: readonly MessageInput[]): SessionErrorCode {
  if (details.some(({ path }) => isNumber(path, sent))) return 'other_process';
  if (status === 400 || status === 413 || status === 422) return 'refused';
  return status === 404 ? 'not_found' : code;
}

/** Whether the service has another message with the number that the kit has given. Then another process goes on, too. */
function isNumber(path: string, sent: readonly MessageInput[]): boolean {
  const [, index] = /^messages\.(\d+)\.clientMessageId$/.exec(path) ?? [];
  return index !== undefined && sent[Number(index)]?.clientMessageId == null;
}
