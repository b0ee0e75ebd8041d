import * as z from 'zod';
import { id, shownTime } from '../schema/common.ts';
import { eventTypeNames, eventWildcards } from './types.ts';

/** A type of events, or a pattern that matches several. */
export const eventTypePattern = z
  .enum([...eventTypeNames, ...eventWildcards], {
    error: ({ input }) =>
      `must be a type of events, or such as project.* or *: there is no ${String(input).slice(0, 100)}`,
  })
  .meta({
    description: 'A type of events, all types of a kind of resource such as `project.*`, or `*` for all.',
    example: 'project.*',
  });

/**
 * An event as it is stored. `data` was checked with the schema of its resource when it was written. Later versions of the
 * service may have more fields, so it is not checked again. The OpenAPI document has a schema for each type.
 */
export const PlatformEvent = z
  .object({
    id: id('event').meta({ description: 'The id of the event, the same each time that it is sent.' }),
    type: z.enum(eventTypeNames).meta({ description: 'The type of the event.', example: 'project.created' }),
    timestamp: shownTime().meta({ description: 'When it happened. Events are sorted by it.' }),
    projectId: id('project')
      .nullable()
      .meta({ description: 'The project of the resource. Null if the resource belongs to no project.' }),
    data: z.record(z.string(), z.unknown()).meta({
      description: 'The resource, as its GET has shown it when the event was written.',
      example: { id: 'proj_01JZ4Y7Q8R5T2V9W3X6B0C1D4E' },
    }),
  })
  .meta({ id: 'PlatformEvent', description: 'Something that has happened to a resource.' });

export type PlatformEvent = z.infer<typeof PlatformEvent>;
