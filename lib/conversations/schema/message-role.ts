/** Who says something in a conversation. */

export const messageRoles = ['user', 'avatar', 'system', 'tool'] as const;
export type MessageRole = (typeof messageRoles)[number];
