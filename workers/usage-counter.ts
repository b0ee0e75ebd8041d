import { addsUses, countDailyUsage, dailyUsageIn } from '../lib/limits/count-daily-usage.ts';
import { defineWorker } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'usage-counter',
  summary: 'Counts the amounts that an organisation and its projects store in a day',
  sources: ['conversations', 'knowledge'],
  wants: addsUses,
  detail: dailyUsageIn,
  access: { limits: ['BatchGetItem', 'PutItem', 'UpdateItem'] },
  batchSize: 100,
  batchingSeconds: 1,
  acrossProjects: true,
  ends: 'short',
  whileSuspended: 'continues',
  impact:
    '`GET /usage/days`, the usage of projects, and `GET /usage` where there is no quota, show too little. Quotas are exact.',
  remedy:
    'Until a day after the end of their day, `npm run redrive` returns notices to be counted. The count of a resource is also ' +
    'corrected when its content is stored again on that day.',

  handle: countDailyUsage,
});
