/**
 * The sentences of the documents that state a figure, built from the code that decides it.
 * test/repository/figures.test.ts checks that each is in its document, and that no other figures are.
 */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { budgets } from '../../bench/budgets.ts';
import { maxLimits } from '../../lib/api-keys/limits.ts';
import { defaultLifetimeMs, maxLifetimeMs } from '../../lib/api-keys/schema.ts';
import { fence } from '../../lib/base/fence.ts';
import { maxRate } from '../../lib/base/rate-limit.ts';
import { maxResponseBytes } from '../../lib/base/response-bytes.ts';
import { defaultLimits } from '../../lib/base/stage-limits.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../../lib/base/time.ts';
import { maxCounters } from '../../lib/conversations/store/counters.ts';
import { maxAvatars } from '../../lib/deployments/schema.ts';
import { maxContentBytes } from '../../lib/knowledge/schema/document.ts';
import { maxWaitSeconds } from '../../lib/limits/waits/schema.ts';
import { maxWaitsPerCaller, maxWaitsPerTenant } from '../../lib/limits/waits/store.ts';
import { defaultSettings } from '../../lib/projects/store.ts';
import { maxDistinctTerms } from '../../lib/text/terms.ts';
import { maxReceives } from '../../lib/workers/notice.ts';
import { root } from '../../scripts/shared/root.ts';

const units: Readonly<Record<string, number>> = { dayMs, hourMs, minuteMs, secondMs };

/** @returns a constant of a source file: a number, or a product of numbers and units of time */
function constant(file: string, name: string): number {
  const source = readFileSync(resolve(root, file), 'utf8');
  const text = source.match(new RegExp(`\\b${name}(?:: number)? = ([^;]+);`))?.[1];
  if (text === undefined) throw new Error(`${file} has no ${name}`);
  const factors = text.split('*').map((factor) => units[factor.trim()] ?? Number(factor.replaceAll('_', '')));
  return factors.reduce((product, factor) => product * factor, 1);
}

/** @returns the match of the pattern's group in a source file */
function told(file: string, pattern: RegExp): string {
  const found = readFileSync(resolve(root, file), 'utf8').match(pattern)?.[1];
  if (found === undefined) throw new Error(`${file} does not say ${pattern}`);
  return found;
}

const oldestNode = told('client/package.json', /"node": ">=(\d+)"/);
const clientDefault = (name: string) =>
  spaced(
    Number(told('client/src/core/transport.ts', new RegExp(`\\b${name}: ([\\d_]+)`)).replaceAll('_', '')),
  );
const days = (file: string, name: string) => constant(file, name) / dayMs;
const spaced = (count: number) => count.toLocaleString('en').replaceAll(',', ' ');
const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const inWords = (count: number) => words[count] ?? { 50: 'fifty', 100: 'a hundred' }[count] ?? `${count}`;
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const kb = (bytes: number) => bytes / 1024;
const bodyKb = kb(constant('lib/http/middleware/parse-body.ts', 'maxBodyBytes'));
const idempotencyHours = told('lib/http/runtime.ts', /IDEMPOTENCY_HOURS \?\? '(\d+)'/);
const leaseSeconds = constant('lib/http/waiting.ts', 'leaseMs') / secondMs;
const jobDays = days('lib/jobs/job.ts', 'keptMs');
const auditDays = told('lib/runtime/base-runtime.ts', /AUDIT_DAYS \?\? '(\d+)'/);
const originDays = constant('lib/audit/store/events.ts', 'originDays');
const linkMinutes = constant('lib/imports/uploads/store.ts', 'uploadLinkMs') / minuteMs;
const goneDays = days('lib/dynamodb/gone.ts', 'keptMs');
const versionDays = days('lib/knowledge/store/parts.ts', 'retiredRetentionMs');
const itemsRead = constant('lib/dynamodb/store.ts', 'maxItemsRead');
const messagesAtOnce = constant('lib/conversations/schema/new-message.ts', 'maxMessagesAtOnce');
const tags = constant('lib/conversations/schema/conversation.ts', 'maxTags');
/** The dollars of a stage without requests, in the table that `npm run bench -- costs --write` writes. */
const idle = {
  dev: told('docs/costs.md', /\*\*total, idle\*\* \| \*\*\$([\d.]+)\*\*/),
  prod: told('docs/costs.md', /\*\*total, idle\*\* \| \S+ \| \*\*\$([\d.]+)\*\*/),
};
const queryLength = told(
  'functions/conversations/search.ts',
  /\.max\((\d+), 'must be at most \d+ characters'/,
);
const indexed = {
  documents: ['index-version', 'maxDocuments'],
  megabytes: ['index-version', 'maxMegabytes'],
  stopped: ['blocks', 'maxStopped'],
} as const;
const reindex = (limit: keyof typeof indexed) => {
  const [file, name] = indexed[limit];
  return constant(`lib/knowledge/jobs/${file}.ts`, name);
};
const budget = (name: string) =>
  Number(
    told('lib/knowledge/document-reader.ts', new RegExp(`defaultBudget.*${name}: ([\\d_]+)`)).replace(
      '_',
      '',
    ),
  );
const python = told('.ci/run', /Python (3\.\d+)/);
const java = told('scripts/local/dynamodb.ts', /Install Java (\d+)/);

/** By document. `fact:` marks facts about AWS, standards and the like, which no code decides. */
export const figures: Readonly<Record<string, readonly string[]>> = {
  'README.md': [
    `You need npm and Java ${java} or later`,
    `brings its own Node ${told('package.json', /"node": "(\d+)\./)}`,
    `at most ${budgets.testMinutes} minutes on two idle cores`,
    `at most ${budgets.coldPathRatio} times as long`,
    'fact:curl 7.76 or later', // --fail-with-body
    'fact:(API v1)',
    'fact:after about 10 seconds',
    'fact:cached for 300 seconds by default',
    'fact:as of November 2026',
    `costs $${idle.dev} a month as \`dev\` and $${idle.prod} a month as \`prod\``,
  ],
  'CONTRIBUTING.md': [
    `you need npm, Java ${java} and, for some commands, Python ${python}`,
    `at most ${budgets.testMinutes} minutes on two idle cores`,
    `needs Python ${python}`,
    `needs Docker and Python ${python}`,
    'fact:WSL 2',
    'A middleware is one file, about 100 lines', // test/repository/figures.test.ts
  ],
  'docs/testing.md': [
    'fact:and 100 on AWS',
    'fact:It listens on port 3001.',
    `Needs Docker, Python ${python}`,
    `has at most ${kb(constant('test/client/package.test.ts', 'maxBytes'))} KB, minified and gzipped`,
    `runs them in Node ${oldestNode}, Bun, Deno, workerd`,
  ],
  'client/README.md': [
    `for Node ${oldestNode} or later`,
    `| \`timeoutMs\` | ${clientDefault('timeoutMs')} | of one`,
    `| \`deadlineMs\` | ${clientDefault('deadlineMs')} | of all`,
    `| \`maxRetries\` | ${clientDefault('maxRetries')} | how many`,
    'is then greater than 1',
  ],
  'docs/change-feed.md': [
    'fact:every change, for 24 hours',
    'fact:that forgets after 24 hours',
    `after ${constant('lib/workers/handler.ts', 'firstPauseSeconds')} seconds, then after twice as long, up to ${constant('lib/workers/handler.ts', 'maxPauseSeconds') / 60} minutes`,
    `What has failed ${maxReceives} times`,
    `A notice fails ${maxReceives} times`,
    `kept for ${told('infra/queue.ts', /retentionPeriod: Duration\.days\((\d+)\)/)} days`,
    `for ${told('infra/dispatcher.ts', /maxRecordAge: Duration\.hours\((\d+)\)/)} hours at most`,
    // test/aws/feed.ts prints them.
    'fact:found 195 ms after the response that stored it, and a job starts after 134 ms',
    'fact:it took 104 ms and 38 ms',
    'fact:sent to a webhook after 374 ms',
  ],
  'docs/storage.md': [
    'fact:last 35 days (PITR)',
    'fact:PITR for 35 days',
    'fact:streams remember for 24 hours',
    `TTL removes it after ${goneDays} days`,
    `${days('lib/api-keys/store.ts', 'keptAfterEndMs')} days after revocation or expiry, and shown for ${days('lib/api-keys/store.ts', 'shownAfterEndMs')}`,
    `the ${constant('lib/schedule/scheduler.ts', 'lookBackMs') / minuteMs} minutes before the checkpoint`,
    `It stops after ${constant('lib/schedule/scheduler.ts', 'maxRunMs') / secondMs} seconds`,
    'fact:removes at most 1000 items per second',
    'fact:so 100 000 items that are due',
    `${jobDays} days after it was queued`,
    `${versionDays} days after it was replaced, unless a deployment holds it`,
    `${versionDays + days('lib/knowledge/store/builds.ts', 'knownMs')} days after it was replaced`,
    `${days('lib/projects/purges/store.ts', 'keptAfterEndMs')} days after the purge`,
    'fact:adds 1 to',
    `after ${days('lib/knowledge/store/expunged.ts', 'buildsKnownMs')} days`,
    `${days('lib/conversations/store/messages.ts', 'notesOutliveMs')} days after the record`,
    `after ${idempotencyHours} hours, or as configured`,
    `${leaseSeconds} seconds after it was taken`,
    `reads at most ${itemsRead} items`,
    `a page reads at most ${itemsRead} entries`,
    `at most ${kb(maxContentBytes)} KB of UTF-8`,
    "fact:DynamoDB's 400 KB",
    `fewer bytes than ${told('lib/knowledge/schema/document.ts', /externalId[\s\S]*?\((?:1, )?(\d+)\)/)} characters`,
    `in parts of ${kb(constant('lib/knowledge/store/parts.ts', 'partBytes'))} KB`,
    `Brotli (quality ${told('lib/knowledge/store/parts.ts', /BROTLI_PARAM_QUALITY\]: (\d+)/)}`,
    `at most ${2 * messagesAtOnce + 2} items`,
    `every ${constant('lib/erasure/rewrite-retention.ts', 'conversationsAtOnce')} conversations`,
    `reads about ${constant('lib/conversations/search.ts', 'maxRead')} positions`,
    'A message of 30 different words that comes alone costs 31; storing it costs 2.', // test/promises/worker-capacity.test.ts
    `a block of ${constant('lib/conversations/store/postings.ts', 'blockSize')} consecutive messages`,
    `writes for at most ${fence.writeMs / secondMs} seconds`,
    `the eraser begins ${fence.waitMs / secondMs} seconds after the tombstone`,
    `It begins ${fence.waitMs / secondMs} seconds after the tombstone`,
    `erases up to ${constant('lib/erasure/erase-user.ts', 'erasedAtOnce')} conversations`,
    'fact:one partition 1000 write units per second',
    'fact:for items under 1 KB',
    `with ${tags} tags it would have ${4 + tags}`,
    'fact:a read unit for 4 KB of sums',
    'fact:one for each 4 KB of its messages',
    'fact:one unit for each 4 KB',
    // test/promises/capacity.test.ts
    'An avatar with a prompt of 8000 characters is read for 3 units and written, with its version, for 40.',
    'takes 4 round trips, 5 read units and 1 write unit, or 4 where its content changes; unchanged 3 round trips, 5 read units',
  ],
  'docs/conversations.md': [
    'fact:numbered 1, 2, 3',
    'fact:refused with 400',
    'fact:PITR for 35 days',
    'fact:Streams hold the identifier for 24 hours',
    `for ${idempotencyHours} hours`,
    `by itself after ${defaultSettings.conversationTimeoutMinutes} minutes without a message`,
    `kept for ${jobDays} days`,
    `${capital(inWords(maxWaitsPerCaller))} waits for each key,** and ${inWords(maxWaitsPerTenant)} for each organisation`,
    `after ${leaseSeconds} seconds`,
    `in ${queryLength} characters`,
    `The ${inWords(constant('lib/conversations/store/postings.ts', 'maxTerms'))} rarest`,
    `up to its ${maxDistinctTerms}th different word`,
    `the text from the ${maxDistinctTerms + 1}st on`,
    `about ${constant('lib/conversations/search.ts', 'maxRead')} entries and messages`,
    `${constant('lib/conversations/search.ts', 'maxTextBytes') / 2 ** 20} MB of text`,
    `last ${constant('lib/conversations/stats.ts', 'usualDays')} days or for a range of at most ${constant('lib/conversations/stats.ts', 'maxDays')}`,
    `more than ${spaced(maxCounters)} combinations`,
  ],
  'docs/knowledge.md': [
    `or by ${constant('functions/knowledge/documents/batch.ts', 'maxDocuments')}, under`,
    `takes up to ${maxWaitSeconds} seconds`,
    `longer than ${constant('lib/knowledge/chunks/chunk.ts', 'targetLength')} characters`,
    `some ${constant('lib/knowledge/index/snippet.ts', 'snippetLength')} characters`,
    'fact:released in 2020',
    'fact:for 35 days',
    `${versionDays} days from the next job on`,
    `| jobs | ${jobDays} days |`,
    `${kb(maxContentBytes)} KB of UTF-8`,
    `a document of ${kb(maxContentBytes)} KB`,
    `${bodyKb} KB as sent`,
    `${spaced(reindex('documents'))} documents and ${reindex('megabytes')} MB`,
    '500 000 pieces with 1 000 000 different words', // test/lib/knowledge/index-size.test.ts
    `${budget('cpuMs') / secondMs} s of CPU time, ${budget('elapsedMs') / secondMs} s, ${budget('heapMb')} MB of memory`,
    `${spaced(constant('lib/knowledge/chunks/html.ts', 'maxElements'))} elements of HTML`,
    `${inWords(reindex('stopped'))} documents. Then the job fails`,
    `${constant('lib/knowledge/chunks/sections.ts', 'maxSections')}: behind the ${constant('lib/knowledge/chunks/sections.ts', 'maxSections')}th heading`,
    `${told('functions/knowledge/search.ts', /\.max\((\d+), 'must be at most \d+ characters'/)} characters and 50 pieces`,
  ],
  'docs/security.md': [
    `work for at most ${linkMinutes} minutes`,
    `works for at most ${linkMinutes} minutes`,
    'fact:256 random bits',
    `kept for ${idempotencyHours} hours`,
    `for ${idempotencyHours} hours`,
    `the ${idempotencyHours} hours are over`,
    `at most ${bodyKb} KB of JSON`,
    `TLS ${told('infra/api.ts', /SecurityPolicy\.TLS_(1_2)/).replace('_', '.')}`,
    `up to ${maxLifetimeMs / dayMs} days`,
    `expiry (${defaultLifetimeMs / dayMs} days unless asked otherwise)`,
    `mode ${told('scripts/local/dev-file.ts', /mode: 0o(\d+)/).padStart(4, '0')}`,
    'fact:127.0.0.1',
    `first ${'sk_live_'.length + 2 * 26} characters`,
    'fact:(PITR) keep 35 days',
    'fact:for up to 35 days',
    'fact:last 35 days',
    'fact:name the 35 days',
    `that of the deletion, for ${goneDays} days`,
    'fact:Streams keep both for 24 hours, backups for 35 days',
    `up to ${idempotencyHours} hours in`,
    'fact:and 409',
    `within ${inWords(constant('lib/credentials/access-token-verifier.ts', 'maxKeysAgeMs') / minuteMs)} minutes`,
    `project, ${days('lib/projects/store.ts', 'restorableMs')} days after its deletion`,
    `${days('lib/api-keys/store.ts', 'keptAfterEndMs')} days after the end of the key`,
    `stays for ${days('lib/projects/purges/store.ts', 'keptAfterEndMs')} days, with ids only`,
    `${versionDays} days after the version was replaced`,
    `${jobDays} days; the `,
    `| ${idempotencyHours} hours, or `,
    `user agent of their request for ${originDays} days`,
    `| ${auditDays} days, or `,
    `| ${constant('lib/events/store/events.ts', 'eventDays')} days; of a conversation`,
    `addresses and user agents ${originDays} days`,
    'fact:old and new | 24 hours',
    'fact:all tables that have it | 35 days',
    `at most ${told('infra/queue.ts', /retentionPeriod: Duration\.days\((\d+)\)/)} days |`,
    'fact:API Top 10',
    'fact:list of 2023',
    ...Array.from({ length: 10 }, (_, index) => `fact:API${index + 1}:2023`),
    'fact:(HS256)',
    `a body of ${bodyKb} KB and one byte`,
  ],
  'docs/audit.md': [
    `removed after ${originDays} days`,
    `stay for ${auditDays} days`,
    `more than ${kb(constant('lib/audit/store/drafts.ts', 'maxValueBytes'))} KB (in JSON)`,
    `exceeds ${kb(constant('lib/audit/store/drafts.ts', 'maxTotalBytes'))} KB in one event`,
    'a message of 30 words costs [31]', // test/promises/worker-capacity.test.ts, by docs/storage.md
  ],
  'docs/events.md': [
    `stay for ${constant('lib/events/store/events.ts', 'eventDays')} days`,
    `comes ${days('lib/events/sources/moments.ts', 'maxNoticeMs')} days before a key ends`,
  ],
  'docs/limits.md': [
    `has ${defaultLimits.test.rateLimit?.requests} requests per minute`,
    `at most ${spaced(maxRate)} per second`,
    'fact:A key with 20 requests per minute and the ten keys that it created have 20 together',
    `at most ${inWords(maxLimits)} limits of keys`,
    `${constant('lib/api-keys/family.ts', 'pageSize')} at a time, until nothing is left to change (usually twice), and changes ${constant('lib/workers/commit-each.ts', 'writesAtOnce')} keys at a time`,
    'fact:With 1000 keys below, these are about 70 calls',
    'fact:A message of a 429 names',
    'fact:a key with 100 requests per minute can create one with 1 per second or with 100 per hour, and not one with 10 per second',
    'fact:draft-ietf-httpapi-ratelimit-headers-11',
    'fact:× (1 + T / ',
    'fact:× (1 + the passed part',
    'fact:− 1 pass in each window',
    `at least ${constant('lib/limits/limiter.ts', 'minPauseMs')} ms`,
    `Above ${constant('lib/base/rate-limit.ts', 'maxShardRate')} requests per second`,
    'fact:takes 1000 writes per second',
  ],
  'docs/deployments.md': [
    `for ${idempotencyHours} hours the same key`,
    `At most ${constant('lib/knowledge/indexing.ts', 'maxPages')} MB of the list`,
    'fact:RFC 8785',
    `at most ${maxAvatars} active avatars, of at most ${maxResponseBytes / 2 ** 20} MB`,
    `up to ${inWords(constant('lib/deployments/release-history.ts', 'kept'))} deployments`,
  ],
  'docs/glossary.md': [
    `${constant('lib/conversations/store/postings.ts', 'blockSize')} consecutive messages of a conversation`,
    `says for ${goneDays} days`,
    `restored for ${days('lib/projects/store.ts', 'restorableMs')} days`,
    'fact:up to two days late',
    'fact:last 35 days',
  ],
  'docs/performance.md': [],
};
