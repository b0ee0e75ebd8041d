/**
 * The kinds of items, for the key table in docs/storage.md. test/promises/stored-items.test.ts compares them with the stored
 * items.
 */

import { type TableName, tableNames } from '../../lib/dynamodb/tables.ts';

export type Kind = {
  table: TableName;
  /** In keys, `…` is a ULID, and `<…>` differs between items. */
  tenant: string;
  id: string;
  about: string;
  /** When TTL removes it. */
  removed: string;
};

const byScheduler = 'never: the scheduler removes it';
const byResumption = 'never: the end of the suspension removes it';
const afterTwoPeriods = 'when its period and the next one have ended';
const whenReturned = '30 seconds after it was taken, if not returned before';
const asConfigured = 'after 24 hours, or as configured';
const keptDays = '400 days after the day';
const gone = ['the tombstone of a deleted resource', '7 days after the deletion'] as const;

/** By table, `tenant` and `id`: a description of the item, and when TTL removes it, if TTL does. */
const described: Readonly<
  Record<TableName, Readonly<Record<string, Readonly<Record<string, readonly [string, string?]>>>>>
> = {
  organisations: {
    'org_…': { 'org_…': ['an organisation'] },
    deleted: { '<SHA-256 of its id>': ['a deleted organisation, so that a restore does not bring it back'] },
  },
  apiKeys: {
    'org_…#live': {
      'key_…': ['an API key', '90 days after revocation or expiry, and shown for 30'],
      'wid_…': ['a workload identity', '90 days after deletion or expiry, and shown for 30'],
    },
    'org_…#live#passes#limits': {
      '<credential>': ['how far the work on a changed limit is', '30 days after its last turn'],
    },
    'org_…#live#passes#children': {
      '<credential>': [
        'how far the revocation of the credentials below it is',
        '30 days after its last turn',
      ],
    },
    'org_…#live#families#<credential>': {
      '<credential>': ['a credential below the first, for its revocation', '30 days after it was found'],
    },
    'org_…#live#places': {
      '<00 to 99>': ['the last workload identity that has taken this place of the tenant'],
    },
    'org_…#live#refused': {
      '<credential>#<reason>#<hour>': ['a refused request, for the audit log', '2 days after the refusal'],
    },
  },
  projects: {
    'org_…#live': { 'proj_…': ['a project'] },
    'org_…#live#deleted': { 'proj_…': ['a deleted project that can be restored'] },
    'org_…#live#external': { '<SHA-256 of an externalId>': ['a pointer to the project'] },
    'org_…#live#purges': { 'proj_…': ['the progress of its purge', '90 days after the purge'] },
    'org_…#live#gone': { 'proj_…': gone },
  },
  knowledge: {
    'org_…#live#proj_…': { 'kdoc_…': ['a document without its content'] },
    'org_…#live#proj_…#content': { 'kdoc_…': ['its content, or the first part of it'] },
    'org_…#live#proj_…#text': { 'kdoc_…#<id of the write>#<number>': ['a further part of its content'] },
    'org_…#live#proj_…#extractions': {
      'kdoc_…': ['the request to extract the text of its file', 'when the file has been read'],
    },
    'org_…#live#proj_…#external': {
      '<SHA-256 of an externalId>': ['a pointer to the document without a source'],
      '<SHA-256 of an externalId>.<SHA-256 of a source>': ['a pointer to the document'],
    },
    'org_…#live#proj_…#deleted': {
      'kdoc_…': ['deleted, but may still be in an index version'],
      'src_…': ['a deleted source, which a restore does not bring back'],
    },
    'org_…#live#proj_…#sources': { 'src_…': ['a source'] },
    'org_…#live#proj_…#count': { sources: ['how many sources there are'] },
    'org_…#live#proj_…#removals': {
      'job_…': ['a deleted source, whose pages the job removes', 'never: the job removes it'],
    },
    'org_…#live#proj_…#src_…': { '<SHA-256 of its URL>': ['a page of the source'] },
    'org_…#live#proj_…#src_…#links': { '<SHA-256 of its URL>': ['the links of the page'] },
    'org_…#live#proj_…#src_…#owners': { '<SHA-256 of a content>': ['the page that has the document'] },
    'org_…#live#proj_…#src_…#queue': {
      '<order>.<SHA-256 of its URL>': [
        'a page that the refresh has to request',
        'never: the refresh removes it',
      ],
    },
    'org_…#live#proj_…#src_…#texts': {
      'kdoc_…': [
        'a long text that the refresh writes',
        'never: it goes with the document, or with the refresh',
      ],
    },
    'org_…#live#proj_…#src_…#robots': {
      '<SHA-256 of a host>': ['the rules of its robots.txt', 'a day after a refresh has read them'],
    },
    'org_…#live#setters#<SHA-256 of a credential>': { 'src_…': ['a source that acts on its behalf'] },
    'org_…#live#proj_…#gone': { 'kdoc_…': gone, 'src_…': gone },
  },
  jobs: {
    'org_…#live#proj_…': { 'job_…': ['a job', '30 days after it was queued'] },
    'org_…#live#proj_…#subjects': {
      'job_…': ['the user whose conversations it erases', 'when the job has ended, or after its deadline'],
    },
    'org_…#live#proj_…#exports': {
      'job_…': [
        'the content and the filters of an export',
        'a day after the deadline of its job; the filters when the job has ended',
      ],
    },
    'org_…#live#proj_…#exports#places': {
      '<00 to 49>': [
        'the last export that has taken this place of the project',
        'when the files of the export are removed',
      ],
    },
    'org_…#live#proj_…#imports': {
      'job_…': [
        'the file of an import, and the lines that failed',
        'when the job has ended, or a day after its deadline',
      ],
    },
    'org_…#live#proj_…#uploads': {
      'upl_…': ['a file that a caller uploads', 'when its import has ended, or after a day'],
    },
    'org_…#live#proj_…#uploads#places': {
      '<00 to 99>': ['the last upload that has taken this place of the project', 'a day after the upload'],
    },
    'org_…#live#proj_…#parts': {
      '<job>#<number>#<call>': ['a file of an export', 'with its file, a day after the deadline of its job'],
      '<job>#<number>#uploads#<upload>': [
        'a part of a compressed file, unpacked for its import',
        'with its upload',
      ],
    },
    'org_…#live#proj_…#encoding': {
      '<job>.<number>': [
        'a step of a re-index, which computes vectors',
        'when the step has ended, or a day after the deadline of its job',
      ],
    },
    'org_…#live#proj_…#evaluation-requests': {
      'job_…': [
        'what an evaluation run was asked for',
        'when the job has ended, or a day after its deadline',
      ],
    },
    'org_…#live#proj_…#previews': {
      '<conversation>#<job>#<number of the evaluator>': ['a score that a preview shows', 'after an hour'],
    },
    'org_…#live#proj_…#latest': { '<queue>': ['the latest job of a queue'] },
  },
  avatars: {
    'org_…#live#proj_…': { 'avtr_…': ['an avatar'] },
    'org_…#live#proj_…#external': { '<SHA-256 of an externalId>': ['a pointer to the avatar'] },
    'org_…#live#proj_…#avtr_…': { 'v<number>': ['a version'] },
    'org_…#live#proj_…#removed': { 'avtr_…': ['deleted, but its versions are kept'] },
    'org_…#live#proj_…#active': {
      'avtr_…': ['it is active'],
      changes: ['the last change of an avatar of the project'],
    },
    'org_…#live#proj_…#gone': { 'avtr_…': gone },
  },
  deployments: {
    'org_…#live#proj_…': { 'dep_…': ['a deployment'] },
    'org_…#live#proj_…#environments': { '<name>': ['an environment'] },
    'org_…#live#proj_…#rollouts': { 'rol_…': ['a rollout'] },
    'org_…#live#proj_…#rollouts-of-environments': {
      '<environment>#rol_…': ['a rollout of the environment, for their list'],
    },
    'org_…#live#setters#<SHA-256 of a credential>': { 'rol_…': ['a rollout that moves on its behalf'] },
    'org_…#live#proj_…#gone': { '<name>': gone },
  },
  knowledgeIndexes: {
    'org_…#live#proj_…': { published: ['the published version'] },
    'org_…#live#proj_…#versions': {
      '<hash>': ['its build', '7 days after it was replaced, unless a deployment holds it'],
    },
    'org_…#live#proj_…#build#<build>': {
      'block-<number>': ['texts of a build', 'as the version'],
      'index-<number>': ['a part of the index', 'as the version'],
      'list-<number>': ['a part of the list of its documents', 'as the version'],
      list: ['which documents each part of the list has', 'as the version'],
    },
    'org_…#live#proj_…#build#<build>#vectors-<0 to 7>': {
      'vectors-<number>': ['vectors of its pieces, with hashes of their texts', 'as the version'],
    },
    'org_…#live#proj_…#builds': {
      '<build>': ['an incomplete build: `job_…`, or `job_….<hash>` for a copy without a document'],
    },
    'org_…#live#proj_…#stored': {
      '<build>': ['a build that may have stored parts', '37 days after it was replaced'],
    },
    'org_…#live#proj_…#expunged': {
      'kdoc_…': ['a tombstone; no search returns it'],
      'job_…<suffix>': ['a build that an expunge has removed', 'after 90 days'],
    },
    'org_…#live#proj_…#expunging': {
      'kdoc_…': ['a document that a job still has to remove', 'when the job has ended'],
    },
  },
  conversations: {
    'org_…#live#proj_…': { 'conv_…': ['a conversation', "its project's `retentionDays` after its start"] },
    'org_…#live#proj_…#by#<filter>#<SHA-256 of the value>': {
      'conv_…': ['it has this value', 'as the conversation'],
    },
    'org_…#live#proj_…#external': {
      '<SHA-256 of an externalId>': [
        'a pointer to the conversation; an erasure keeps the pointer',
        'as the conversation',
      ],
    },
    'org_…#live#proj_…#erased': { 'conv_…': ['the tombstone of an erased conversation'] },
    'org_…#live#proj_…#purging': {
      'conv_…': ['how far its purge is among its events and deliveries', 'an hour after its last turn'],
    },
    'org_…#live#proj_…#retention': { rewritten: ['the progress of a change of `retentionDays`'] },
    'org_…#live#proj_…#scored': {
      'conv_…': ['the effective scores of the conversation, by name', 'as the conversation'],
    },
    'org_…#live#proj_…#scores#conv_…': {
      '<name>#<rank of its source>#<version>#<messages>': [
        'a score; its version and the number of messages that it is about have ten digits',
        'as the conversation',
      ],
    },
    'org_…#live#proj_…#reservations#conv_…': {
      '<name>#<rank of its source>#<version>#<messages>': [
        'a call of a model for this score, which is under way, or how often it was paid without an answer',
        'three minutes after it was sent, or 15 days after it was paid, if its score was not stored before',
      ],
    },
    'org_…#live#proj_…#rollout-units': {
      'rol_…#<hash of the unit>': [
        'a unit of a rollout: the conversation with which it counts',
        'as the conversation',
      ],
    },
    'org_…#live#proj_…#evaluators': { 'eval_…': ['an evaluator'] },
    'org_…#live#proj_…#evaluators#eval_…': { 'v<number>': ['a version of the evaluator'] },
    'org_…#live#proj_…#evaluator-names': { '<name>': ['the evaluator with this name, and its output'] },
    'org_…#live#proj_…#evaluator-count': { evaluators: ['how many evaluators there are'] },
    'org_…#live#setters#<SHA-256 of a credential>': { 'eval_…': ['an evaluator that acts on its behalf'] },
    'org_…#live#proj_…#gone': { 'conv_…': gone },
  },
  messages: {
    'org_…#live#proj_…#conv_…': { '<seq>': ['a message; its `seq` has ten digits', 'as the conversation'] },
    'org_…#live#proj_…#conv_…#client': {
      '<SHA-256 of the clientMessageId>': ['a pointer to the message', 'as the conversation'],
    },
    'org_…#live#proj_…#conv_…#records': {
      '<SHA-256 of the Idempotency-Key>.call_…': [
        'an idempotency record that no message names',
        '7 days after the record',
      ],
    },
    'org_…#live#proj_…#conv_…#replies': { 'rpl_…': ['a reply of an avatar', 'as the conversation'] },
    'org_…#live#proj_…#conv_…#parts': {
      'rpl_…#<offset>': ['a part of the text of a reply', 'a day after it was written'],
    },
    'org_…#live#proj_…#replies#requests': {
      'conv_…#rpl_…': ['the request of a dry run', 'an hour after the end of the reply'],
    },
  },
  conversationStats: {
    'org_…#live#proj_…#days#<generation>': {
      '<day>#avtr_…#<channel>': [
        'the sums of these conversations; the channel may be empty. Before the day, `test!` stands for test conversations, here and below',
      ],
    },
    'org_…#live#proj_…#deployments#<generation>': {
      '<day>#dep_…': ['the sums of the conversations with a deployment'],
    },
    'org_…#live#proj_…#scores#<generation>': {
      '<name>#<day>#avtr_…#<deployment>#<channel>': [
        'the sums of the conversations with this score; the deployment and the channel may be empty',
      ],
    },
    'org_…#live#proj_…#rollouts#<generation>': {
      'rol_…#<span>#<variant>': [
        'the sums of the conversations with this variant of a rollout, in this span',
      ],
    },
    'org_…#live#proj_…#counted#<generation>': { 'conv_…': ['its contribution to the sums'] },
  },
  conversationSearch: {
    'org_…#live#proj_…#term#<generation>#<term>': {
      'conv_…#<block>': ['the messages of a block that contain the term', 'as the conversation'],
    },
    'org_…#live#proj_…': { indexed: ['the generations of the index and the sums, and their progress'] },
  },
  webhooks: {
    'org_…#live#gone': { 'whk_…': gone },
    'org_…#live': { 'whk_…': ['a webhook'] },
    'org_…#live#secrets': { 'whk_…': ['its secrets, encrypted'] },
    'org_…#live#count': { webhooks: ['how many there are'] },
    'org_…#live#deleted': { 'whk_…': ['a deleted webhook', '90 days after the deletion'] },
  },
  deliveries: {
    'org_…#live#whk_…': { 'dlv_…': ['a delivery', '30 days after the event'] },
    'org_…#live#whk_…#extra': {
      'dlv_…': ['the content of its request besides the stored event', '30 days after the event'],
    },
    'org_…#live#proj_…#places': {
      '<resource>#dlv_…': ['where a delivery of the project is', '30 days after the event'],
    },
    'org_…#live#health': {
      'whk_…': ['how the last attempts of the webhook have ended, and how many may be under way'],
    },
    'org_…#live#recovery': {
      'whk_…': ['how far the last recovery of the webhook is', '30 days after its last turn'],
    },
    'org_…#live#erasing': {
      '<resource>#<due ms>': [
        'how far the erasure of a removed resource is among its events and deliveries',
        'an hour after its last turn',
      ],
    },
  },
  schedule: {
    'due#<minute>': {
      '<time>#conversation-sweeper#org_…#live#proj_…#conv_…': [
        'a conversation that may have timed out then',
        byScheduler,
      ],
      '<time>#project-purger#org_…#live#deleted#proj_…': [
        'a deleted project that is purged then',
        byScheduler,
      ],
      '<time>#event-writer#org_…#live#key_…': [
        'an API key that expires soon, or has expired then',
        byScheduler,
      ],
      '<time>#event-writer#org_…#live#proj_…#<resource>': [
        'a job with this deadline; or a removed resource, whose data is removed from its events then',
        byScheduler,
      ],
      '<time>#event-writer#org_…#live#whk_…': [
        'a deleted webhook, whose data is removed from its events then',
        byScheduler,
      ],
      '<time>#export-remover#org_…#live#proj_…#job_…': [
        'an export whose files are removed then',
        byScheduler,
      ],
      '<time>#export-remover#org_…#live#proj_…#upl_…': ['an uploaded file that is removed then', byScheduler],
      '<time>#webhook-sender#org_…#live#whk_…#dlv_…': ['a delivery that is attempted then', byScheduler],
      '<time>#event-writer#org_…#live#proj_…#sources#src_…': [
        'a deleted source, whose data is removed from its events then',
        byScheduler,
      ],
      '<time>#knowledge-indexer#org_…#live#proj_…#job_…': [
        'a job that waits for files, or for another job, until then',
        byScheduler,
      ],
      '<time>#<worker>#org_…#live#places#<worker>': [
        'notices wait for a place of the worker, and are started then if nothing else has started them',
        byScheduler,
      ],
      '<time>#source-refresher#org_…#live#proj_…#src_…': ['a source that is refreshed then', byScheduler],
      '<time>#source-refresher#org_…#live#proj_…#job_…': [
        'a refresh that continues then, after a pause of a host',
        byScheduler,
      ],
      '<time>#rollout-mover#org_…#live#proj_…#rollouts#rol_…': [
        'a rollout whose step has been held then',
        byScheduler,
      ],
    },
    'org_…#live#proj_…#rollouts': { 'rollout-mover#rol_…': ['the time until which its step is held'] },
    'org_…#live#proj_…': {
      '<worker>#<resource>': ['the time at which the worker gets a notice of the resource'],
    },
    'org_…#live#proj_…#sources': {
      'event-writer#src_…': ['the time of the removal of its data from its events'],
    },
    'org_…#live#proj_…#extractions': {
      'knowledge-extractor#kdoc_…': ['the time at which the worker gets a notice of the file'],
    },
    'org_…#live#proj_…#conv_…#replies': {
      'reply-runner#rpl_…': ['the time at which the worker gets a notice of the reply'],
    },
    'org_…#live#deleted': { 'project-purger#proj_…': ['when its purge is due'] },
    'org_…#live': {
      'event-writer#key_…': ['when its next event is due'],
      'event-writer#whk_…': ['the time of the removal of its data from its events'],
    },
    scheduler: { checkpoint: ['the progress of the scheduler'] },
    'org_…#live#whk_…': { 'webhook-sender#dlv_…': ['when its next attempt is due'] },
    'org_…#live#places': {
      '<worker>#<worker>': ['when notices that wait for a place are started at the latest'],
    },
    'org_…#live#places#<worker>': {
      '<number>': [
        'a place of the organisation in the worker that is taken',
        'some minutes after it was taken',
      ],
    },
    'org_…#live#places#<worker>#queue': {
      'call_…': ['a notice that waits for a place', 'never: the worker removes it when it has a place'],
    },
    'org_…#live#released': {
      release: ['how much of the waiting work is due in a minute', 'a day after that minute'],
    },
    'org_…#live#waiting': {
      '9999999999999#webhook-sender#org_…#live#whk_…#dlv_…': [
        'a delivery that waits until its organisation is no longer suspended',
        byResumption,
      ],
      '9999999999999#knowledge-extractor#org_…#live#proj_…#extractions#kdoc_…': [
        'a file that waits until its organisation is no longer suspended',
        byResumption,
      ],
      '9999999999999#conversation-evaluator#org_…#live#proj_…#conv_…': [
        'a conversation that is not evaluated until its organisation is no longer suspended',
        byResumption,
      ],
      '9999999999999#reply-runner#org_…#live#proj_…#conv_…#replies#rpl_…': [
        'a reply that waits until its organisation is no longer suspended',
        byResumption,
      ],
      '9999999999999#rollout-mover#org_…#live#proj_…#rollouts#rol_…': [
        'a rollout that does not move until its organisation is no longer suspended',
        byResumption,
      ],
      '9999999999999#<worker>#org_…#live#proj_…#job_…': [
        'a job, or its deadline, that waits until its organisation is no longer suspended',
        byResumption,
      ],
    },
  },
  idempotency: {
    'org_…#live': { '<SHA-256 of the Idempotency-Key>': ['for paths without a project', asConfigured] },
    'org_…#live#proj_…': {
      '<SHA-256 of the Idempotency-Key>': ['for paths with this project', asConfigured],
    },
    'org_…#live#waits': {
      'tenant#<number>': ["a waiting request's place among those of its tenant", whenReturned],
      'key_…#<number>': ['its place among the places of its credential', whenReturned],
    },
  },
  audit: {
    'org_…#live': { 'aud_…': ['an event', '365 days after the event, or as configured'] },
    'org_…#live#origins': { 'aud_…': ['where its request came from', '90 days after the event'] },
    'org_…#live#by#<filter>#<SHA-256 of the value>': { 'aud_…': ['it has this value', 'as the event'] },
  },
  events: {
    'org_…#live': { 'evt_…': ['an event', '30 days after the event'] },
    'org_…#live#by#<filter>#<SHA-256 of the value>': { 'evt_…': ['it has this value', 'as the event'] },
  },
  limits: {
    'org_…#live#key_…#<share>': {
      '<period>': ['the requests of a key in a minute, or in its share of them', afterTwoPeriods],
    },
    'org_…#live#tenant#<share>': { '<period>': ['the requests of all credentials', afterTwoPeriods] },
    'org_…#live#usage': {
      '<day>#<quota>': [
        'the usage of a quota',
        'when the day has ended; the cost of models 400 days after it',
      ],
    },
    'org_…#live#usage#<SHA-256 of a project>': {
      '<day>#modelCostUsd': ['what models have cost the project', keptDays],
    },
    'org_…#live#days': { '<day>': ['the sums of a day', keptDays] },
    'org_…#live#days#<SHA-256 of a project>': { '<day>': ['the sums of the project', keptDays] },
    'org_…#live#projects': {
      'proj_…': ['a project that has sums', 'at its purge, or 400 to 430 days after the last day'],
      'gone#<SHA-256 of a project>': ['a purged project that has sums', '401 days after the purge'],
    },
    'org_…#live#proj_…#counted': {
      'conv_…': ['the contribution of a conversation to the sums of a day', '2 days after the day'],
      'kdoc_…': ['the contribution of a document to the sums of a day', '2 days after the day'],
    },
    'org_…#live#hosts': {
      '<SHA-256 of a host>': [
        'which refresh may send it requests, and which ones wait',
        'a quarter of an hour after its end',
      ],
    },
    'org_…#live#jobs': {
      '<number>': ['the last job that has taken this place of the quota', 'after the deadline of the job'],
    },
  },
};

export const kinds: readonly Kind[] = tableNames.flatMap((table) =>
  Object.entries(described[table]).flatMap(([tenant, ids]) =>
    Object.entries(ids).map(([id, [about, removed = 'never']]) => ({ table, tenant, id, about, removed })),
  ),
);

export const titleOf = ({ table, tenant, id }: Kind) => `${table}: ${tenant} ${id}`;
