/** The command `chat`. */

import type { Command } from 'commander';
import { chatInTerminal, chatWithLines, commandsText } from '../chat/chat.ts';
import { ChatConversation } from '../chat/conversation.ts';
import { onlyAvatar, type TargetOptions, targetFrom, targetText } from '../chat/target.ts';
import { checkId, type Define } from '../command.ts';
import { usageError } from '../errors.ts';

export function addChat(program: Command, define: Define): void {
  define<TargetOptions & { once?: string }>(program, {
    name: 'chat [avatar]',
    summary: 'Talks with an avatar',
    details:
      'The model of the avatar answers, with the documents that the avatar knows. Below an answer are the documents that it ' +
      'cites. Without --environment, --deployment or --draft, the environment production answers. Without an avatar, it is the ' +
      `only one of the project.\n\nThere are the commands ${commandsText}: /sources shows the passages that the model got, used ` +
      'or not, /cost what the last reply and the conversation have cost, and /retry asks again after a failure. Ctrl+C cancels ' +
      'the reply that is being written; a second Ctrl+C ends the chat.',
    project: true,
    arguments: ['avatar'],
    options: [
      ['--environment <name>', 'as this environment serves it'],
      ['--deployment <id>', 'as this deployment has it'],
      ['--draft', 'its current version, with the published index, in a test conversation'],
      ['--once <text>', 'asks this, and ends'],
    ],
    examples: [
      'chat Ada',
      'chat Ada --draft',
      'chat Ada --environment staging --once "How long can I return something?"',
      'chat Ada --once "How long can I return something?" --json | jq -r .text',
    ],
    async run(session, { once, ...options }, named?: string) {
      const { project, shell, out } = session;
      if (once?.trim() === '') throw usageError('--once needs a question.');
      const avatarId = named === undefined ? await onlyAvatar(project) : checkId(named);
      const target = await targetFrom(project, avatarId, options);
      const conversation = new ChatConversation(session, avatarId, target);
      try {
        if (once !== undefined) await conversation.ask(once, session.signal);
        else if (!shell.stdin.isTTY || out.json) await chatWithLines(session, conversation);
        else {
          const { name } = await project.avatars.get(avatarId);
          out.note(`You talk with ${name}, ${targetText(target)}. Commands: ${commandsText}`);
          await chatInTerminal(session, conversation);
        }
      } finally {
        await conversation.end();
      }
    },
  });
}
