/** The limits of an avatar that its schema and the console share. The console does not load zod. */

/** In characters. */
export const maxPromptLength = 32_000;
