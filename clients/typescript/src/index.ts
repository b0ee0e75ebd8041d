/** The TypeScript client of the Platform API. */

export {
  ApiError,
  ConnectionError,
  type ErrorDetail,
  PlatformError,
  ProxyError,
  TimeoutError,
} from './core/errors.ts';
export type {
  CallOptions,
  Fetch,
  IfMatchOptions,
  IfNoneMatchOptions,
  PlatformOptions,
  PostOptions,
  RequestEvent,
  RequestOptions,
  ResponseEvent,
  RetryEvent,
} from './core/options.ts';
export { ApiPromise, type ListData, Page, PagePromise, type WithResponse } from './core/promise.ts';
export type { FileSource } from './core/upload.ts';
export * from './generated/errors.ts';
export type * from './generated/types.ts';
export { version } from './generated/version.ts';
export type { ConversationLine, MessagesOptions } from './helpers/conversations.ts';
export type { SyncField } from './helpers/differences.ts';
export {
  type ExportedConversation,
  type ExportedDocument,
  ExportFile,
  type ExportLines,
  type ExportLinesOptions,
  type ExportOptions,
  ExportPartMissingError,
} from './helpers/exports.ts';
export {
  type EndedJob,
  JobFailedError,
  type JobOf,
  type JobType,
  type SucceededJob,
  type WaitOptions,
} from './helpers/jobs.ts';
export { DocumentFileError, type TextWaitOptions } from './helpers/knowledge-files.ts';
export { noteText } from './helpers/notes.ts';
export type { FollowReplyOptions } from './helpers/replies.ts';
export type { SyncEvent, SyncOptions, SyncOutcome, SyncResult } from './helpers/sync.ts';
export type { SyncDocument, SyncFile, SyncText } from './helpers/sync-document.ts';
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
} from './helpers/webhooks.ts';
export { Platform } from './platform.ts';
export type { ProjectResources, Projects } from './resources.ts';
