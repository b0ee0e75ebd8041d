import * as z from 'zod';

/** This failure happens after the response. */
export const failure = z
  .object({
    code: z.string().meta({ description: 'Why it failed, for programs.', example: 'content_too_large' }),
    message: z.string().meta({ description: 'Why it failed, for people.' }),
  })
  .meta({ id: 'Failure', description: 'Why something failed.' });
