import * as z from 'zod';
import { id, shownCount, shownTime } from '../../schema/common.ts';

const sums = {
  documents: shownCount().meta({
    description: 'Contents of documents that were stored: created or replaced.',
    example: 3,
  }),
  bytes: shownCount().meta({
    description: 'Bytes, in UTF-8, of these contents and of the texts of messages.',
    example: 12_400,
  }),
  conversations: shownCount().meta({ description: 'Conversations that were started.', example: 40 }),
  messages: shownCount().meta({ description: 'Messages that were added.', example: 310 }),
  exportedRecords: shownCount().meta({
    description: 'Records in files that exports have completed.',
    example: 0,
  }),
  modelCostUsd: z.number().meta({
    description:
      'What evaluations by models cost, in US dollars, with what is reserved for calls that are under way.',
    example: 0.218405,
  }),
};

export type UsageSums = z.infer<z.ZodObject<typeof sums>>;

const items = z
  .array(
    z
      .object({
        day: z.string().meta({ description: 'The day (UTC).', example: '2026-03-01' }),
        ...sums,
      })
      .meta({ id: 'UsageDay', description: 'What was used on a day.' }),
  )
  .meta({ description: 'The days on which something was used, oldest first.' });

const totals = z
  .object(sums)
  .meta({ id: 'UsageDaysTotals', description: 'What was used in the whole range.' });

const countedThrough = shownTime().nullable().meta({
  description: 'The time of the latest counted change. Null if no change is counted.',
});

const UsageOfProject = z
  .object({
    projectId: id('project')
      .nullable()
      .meta({ description: 'The project. Null for a project that was removed.' }),
    name: z.string().nullable().meta({
      description: 'The name of the project. Null for a project that is deleted.',
      example: 'Support',
    }),
    items,
    totals,
  })
  .meta({ id: 'UsageOfProject', description: 'What a project has used, by day.' });

const UsageByProject = z
  .object({
    items: z.array(UsageOfProject).meta({
      description:
        'The projects that have used something: the newest project first, and removed projects last. A removed project keeps ' +
        'its days, without its id.',
    }),
    nextCursor: z
      .string()
      .nullable()
      .meta({ description: 'Send it as `cursor` to get further projects. Null on the last page.' }),
  })
  .meta({ id: 'UsageByProject', description: 'A page of projects, with what they have used.' });

export const DailyUsage = z
  .object({
    items,
    totals,
    countedThrough,
    projects: UsageByProject.nullable().meta({
      description: 'The same by project. Null without `groupBy=project`.',
    }),
  })
  .meta({ id: 'DailyUsage', description: 'What an organisation has used, by day.' });

export type DailyUsage = z.infer<typeof DailyUsage>;

export const ProjectDailyUsage = z
  .object({ items, totals, countedThrough })
  .meta({ id: 'ProjectDailyUsage', description: 'What a project has used, by day.' });

export const ProjectUsage = z
  .object({
    projectId: id('project'),
    day: z.string().meta({ description: 'The current day (UTC).', example: '2026-03-01' }),
    ...sums,
    countedThrough,
    resetsAt: shownTime().meta({ description: 'When the counts start again.' }),
  })
  .meta({ id: 'ProjectUsage', description: 'What a project has used on the current day.' });
