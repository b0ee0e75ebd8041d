import type { Message } from '../../conversations/schema/message.ts';

/** What a rule needs of a message. */
export type RuleMessage = Pick<Message, 'seq' | 'role' | 'text' | 'at'> & {
  readonly citations: readonly unknown[];
};
