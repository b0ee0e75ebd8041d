import type { Message } from '../../conversations/schema/message.ts';

export type RuleMessage = Pick<Message, 'seq' | 'role' | 'text' | 'at'> & {
  readonly citations: readonly unknown[];
};
