import type * as z from 'zod';

/** The body of a PATCH. An empty body is a mistake of the client. */
export const atLeastOneField = <Shape extends z.ZodObject>(schema: Shape): Shape =>
  schema
    .refine((fields) => Object.keys(fields).length > 0, {
      error: 'must have at least one field to change',
      when: ({ issues }) => issues.length === 0,
    })
    .meta({ minProperties: 1 });
