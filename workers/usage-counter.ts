import { addsUses, countDailyUsage, dailyUsageIn } from '../lib/limits/count-daily-usage.ts';
import { defineWorker } from '../lib/workers/worker.ts';

export default defineWorker({
  id: 'usage-counter',
  summary: 'Counts what an organisation stores in a day',
  sources: ['conversations', 'knowledge'],
  wants: addsUses,
  detail: dailyUsageIn,
  access: { limits: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'] },
  timeoutSeconds: 60,
  batchSize: 100,
  batchingSeconds: 1,
  acrossProjects: true,
  impact: '`GET /usage` shows too little where there is no quota. Quotas are exact.',
  remedy:
    'The count of a resource is corrected when its content is stored again on that day. The next day starts at zero.',

  handle: countDailyUsage,
});
