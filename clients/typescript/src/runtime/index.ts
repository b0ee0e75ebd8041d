/** The kit for runtimes: sessions, which store conversations once and in order, also if the service or the process is away. */

export { SessionError, type SessionErrorCode } from './errors.ts';
export type { BufferLimits } from './outbox.ts';
export { type RecoveredSession, recoverSessions } from './recover.ts';
export {
  openSession,
  type SaidMessage,
  type SearchOptions,
  type Session,
  type SessionOptions,
} from './session.ts';
export type { TurnMessage } from './turn.ts';
