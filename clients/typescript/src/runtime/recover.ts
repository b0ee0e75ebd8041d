/** Sends what killed processes have left in a folder. */

import type { PlatformError } from '../core/errors.ts';
import type { MessageInput } from '../generated/types.ts';
import type { Platform } from '../platform.ts';
import { SessionError } from './errors.ts';
import { openFolder } from './folder.ts';
import { Journal, journalName, journalSuffix } from './journal.ts';
import { Sender } from './sender.ts';

export type RecoveredSession = {
  externalId: string;
  /** Null if the service has not started the conversation. */
  conversationId: string | null;
  /** How many messages were left. */
  messages: number;
  /** Why not all of them are stored. Undefined if they are. */
  error: SessionError | undefined;
};

const noLimits = { turns: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };

/**
 * Sends what killed processes have left in their journals, and ends the conversations that they had ended. Call it when a process
 * begins. Journals of sessions that are open, and those of another service, stay as they are. The conversations stay open, so a session can
 * continue them.
 * @param options.deadlineMs of each request. Default: 30 000. If the service is away, the other journals wait for the next call
 * @returns what was found. `error.unsent` has what the service has not taken
 */
export async function recoverSessions(
  platform: Platform,
  options: {
    folder: string;
    deadlineMs?: number | undefined;
    onWarning?: ((sentence: string) => void) | undefined;
  },
): Promise<RecoveredSession[]> {
  const { folder, deadlineMs = 30_000 } = options;
  const warn = options.onWarning ?? ((sentence: string) => console.warn(`platform-api-client: ${sentence}`));
  const files = await openFolder(folder);
  const recovered: RecoveredSession[] = [];
  let away: PlatformError | undefined;
  for (const name of (await files.names()).filter((one) => one.endsWith(journalSuffix))) {
    let journal: Journal;
    try {
      journal = await Journal.open(files, name);
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
      if (error.code !== 'journal_locked') warn(error.message);
      continue;
    }
    const { head, kept } = journal;
    if (!head || head.baseUrl !== platform.baseUrl || journalName(files, head) !== name) {
      await journal.release();
      continue;
    }
    const sender = new Sender({
      conversations: platform.projects(head.project).conversations,
      me: (limits) => platform.me.get(limits),
      head,
      journal,
      limits: noLimits,
      patienceMs: deadlineMs,
      warn,
      onConversation: async () => 0,
      onStored: () => {},
      onDenied: async () => {},
    });
    const messages = kept.reduce(
      (sum, turn: { messages: readonly MessageInput[] }) => sum + turn.messages.length,
      0,
    );
    let error: SessionError | undefined;
    try {
      if (messages > 0 || head.endReason !== null) {
        // If the service was away a moment ago, nobody waits for it again.
        if (away) throw sender.unavailable(away);
        await sender.start();
        sender.assertSent();
      }
      if (head.endReason !== null) await sender.end(head.endReason, deadlineMs);
    } catch (failure) {
      if (!(failure instanceof SessionError)) throw failure;
      error = failure;
      if (error.code === 'unavailable') away = error.reason;
    } finally {
      await sender.leave();
    }
    recovered.push({
      externalId: head.externalId,
      conversationId: sender.head.conversationId,
      messages,
      error,
    });
  }
  return recovered;
}
