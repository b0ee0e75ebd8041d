/** What the audit log says of each field. */

import { expect, test } from 'vitest';
import type * as z from 'zod';
import { ApiKey } from '../../../lib/api-keys/schema.ts';
import { auditedTables, loggedOf } from '../../../lib/audit/store/fields.ts';
import { Deployment, Environment } from '../../../lib/avatars/deployments/schema.ts';
import { Avatar } from '../../../lib/avatars/schema.ts';
import { Upload } from '../../../lib/bulk/imports/uploads/schema.ts';
import { Conversation } from '../../../lib/conversations/schema/conversation.ts';
import { KnowledgeDocument } from '../../../lib/documents/schema/document.ts';
import { type TableDefinition, type TableName, tableNames, tables } from '../../../lib/dynamodb/tables.ts';
import { Job } from '../../../lib/jobs/schema.ts';
import { Project } from '../../../lib/projects/schema.ts';
import { Rollout } from '../../../lib/rollouts/schema.ts';
import { KnowledgeSource } from '../../../lib/sources/schema/source.ts';
import { Delivery } from '../../../lib/webhooks/schema/delivery.ts';
import { Webhook } from '../../../lib/webhooks/schema/webhook.ts';

const schemas: [TableName, string, z.ZodObject][] = [
  ['apiKeys', 'key_1', ApiKey],
  ['projects', 'proj_1', Project],
  ['knowledge', 'kdoc_1', KnowledgeDocument],
  ['knowledge', 'src_1', KnowledgeSource],
  ['jobs', 'job_1', Job],
  ['avatars', 'avtr_1', Avatar],
  ['deployments', 'dep_1', Deployment],
  ['deployments', 'production', Environment],
  ['deployments', 'rol_1', Rollout],
  ['conversations', 'conv_1', Conversation],
  ['webhooks', 'whk_1', Webhook],
  ['jobs', 'upl_1', Upload],
  ['deliveries', 'dlv_1', Delivery],
];

test.each(schemas)('%s: of %s, each public field is in one group', (table, id, { shape }) => {
  const { values = [], names = [], kept = [] } = loggedOf(table, id) ?? {};
  const grouped = [...values, ...names, ...kept].map((name) => name.split('.')[0] ?? '');
  expect(Object.keys(shape).filter((name) => !grouped.includes(name))).toEqual([]);
  const all = [...values, ...names, ...kept];
  expect(new Set(all).size).toBe(all.length);
});

test('every table with resources or traced helpers is audited', () => {
  const declared = tableNames.filter((name) => {
    const { resources, traced }: TableDefinition = tables[name];
    return resources ?? traced;
  });
  expect([...auditedTables].sort()).toEqual(declared.sort());
});

test('no value is logged of a conversation or a document, nor of a prompt, a hint or a hash', () => {
  expect(loggedOf('conversations', 'conv_1')?.values).toEqual([]);
  expect(loggedOf('knowledge', 'kdoc_1')?.values).toEqual([]);
  const logged = schemas.flatMap(([table, id]) => loggedOf(table, id)?.values ?? []);
  expect(logged.filter((name) => /prompt|greeting|hint|hash|sha|secret$/i.test(name))).toEqual([]);
});
