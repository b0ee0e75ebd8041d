/** Reads questions and commands line by line, and has them answered. */

import { createInterface } from 'node:readline';
import { CliError, describe, Interrupted } from '../errors.ts';
import type { Session } from '../session.ts';
import type { ChatConversation } from './conversation.ts';

export const commandsText = '/sources, /cost, /retry, /quit';

type Ask = (signal: AbortSignal, leave?: AbortSignal) => Promise<void>;

/** @returns what a line asks for; undefined for the end, and for nothing */
export function actionOf(line: string, conversation: ChatConversation): Ask | 'quit' | undefined {
  const text = line.trim();
  if (text === '') return undefined;
  if (!text.startsWith('/')) return (...signals) => conversation.ask(text, ...signals);
  switch (text) {
    case '/quit':
    case '/exit':
      return 'quit';
    case '/retry':
      return (...signals) => conversation.retry(...signals);
    case '/sources':
      return () => conversation.showPassages();
    case '/cost':
      return () => conversation.showCost();
    default:
      throw new CliError(
        'usage',
        `There is no command ${JSON.stringify(text)}.`,
        `There are ${commandsText}.`,
      );
  }
}

/**
 * Answers each line of a file or a pipe, and goes on after a failure.
 * @throws the last failure, the reason of the signal
 */
export async function chatWithLines(
  { shell, signal, out }: Session,
  conversation: ChatConversation,
): Promise<void> {
  let failure: unknown;
  for await (const line of createInterface({ input: shell.stdin })) {
    signal.throwIfAborted();
    try {
      const action = actionOf(line, conversation);
      if (action === 'quit') break;
      await action?.(signal);
    } catch (error) {
      signal.throwIfAborted();
      if (failure !== undefined) out.warn(describe(failure).message);
      failure = error;
    }
  }
  if (failure !== undefined) throw failure;
}

/**
 * Talks with a person at a terminal, until `/quit` or Ctrl+D. Ctrl+C cancels the reply that is being written; another one, or one
 * without a reply, ends the chat.
 * @throws Interrupted after Ctrl+C
 */
export async function chatInTerminal({ shell, out }: Session, conversation: ChatConversation): Promise<void> {
  const { stdin, stderr } = shell;
  // The terminal passes Ctrl+C as a key, so no signal reaches the process.
  const typed = createInterface({ input: stdin, output: stderr, terminal: true, prompt: '> ' });
  const leave = new AbortController();
  let running: AbortController | undefined;
  typed.on('SIGINT', () => {
    if (running && !running.signal.aborted) return running.abort(new Interrupted('SIGINT'));
    leave.abort(new Interrupted('SIGINT'));
    typed.close();
  });
  try {
    typed.prompt();
    for await (const line of typed) {
      leave.signal.throwIfAborted();
      running = new AbortController();
      try {
        const action = actionOf(line, conversation);
        if (action === 'quit') return;
        await action?.(running.signal, leave.signal);
      } catch (error) {
        leave.signal.throwIfAborted();
        if (!(error instanceof Interrupted)) {
          const { message, next } = describe(error);
          out.warn(message);
          if (next) out.note(next);
        }
      }
      running = undefined;
      typed.prompt();
    }
    leave.signal.throwIfAborted();
  } finally {
    typed.close();
  }
}
