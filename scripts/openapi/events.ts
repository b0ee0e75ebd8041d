/**
 * Events in the document: a schema for each type, their union, and an entry for each in the section `webhooks`. All are made of
 * the table of types and of the schemas of the resources.
 */

import { idPrefixes } from '../../lib/base/ids.ts';
import {
  type EventFamily,
  type EventType,
  eventTypeNames,
  eventTypes,
  familyOf,
} from '../../lib/events/types.ts';
import { eventSchemas } from '../../lib/webhooks/in-events.ts';
import type { Examples } from './examples.ts';
import type { Components, Json } from './schemas.ts';

const ulid = '01JZ4Y7Q8R5T2V9W3X6B0C1D4E';

/** The operation whose recorded response is the example of a resource. */
const sources = {
  project: 'projects.get',
  api_key: 'api-keys.get',
  workload_identity: 'workload-identities.get',
  avatar: 'avatars.get',
  document: 'knowledge.documents.get',
  source: 'knowledge.sources.get',
  job: 'jobs.get',
  deployment: 'deployments.get',
  environment: 'environments.get',
  rollout: 'rollouts.get',
  conversation: 'conversations.get',
  evaluator: 'evaluators.get',
  webhook: 'webhooks.get',
} as const satisfies Record<keyof typeof eventSchemas, string>;

/** `ApiKeyCreatedEvent` of `api_key.created`. */
const schemaName = (type: EventType): string =>
  `${type.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`;

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** Describes each type of events. */
export function addEventSchemas(components: Components): void {
  components.add('RemovedResource', {
    description: 'The data of an event whose resource was erased or deleted for good.',
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'string', description: 'The id of the resource.', examples: [`conv_${ulid}`] },
    },
  });
  for (const type of eventTypeNames) {
    components.add(schemaName(type), {
      description: eventTypes[type],
      type: 'object',
      required: ['id', 'type', 'timestamp', 'projectId', 'data'],
      properties: {
        id: { type: 'string', description: 'The id of the event, the same each time that it is sent.' },
        type: { type: 'string', const: type, description: 'The type of the event.' },
        timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
        projectId: {
          type: ['string', 'null'],
          description: 'The project of the resource. Null if it belongs to no project.',
        },
        data: {
          description: 'The resource, or only its id if it is gone.',
          anyOf: [components.of(eventSchemas[familyOf(type)], 'output'), refTo('RemovedResource')],
        },
      },
    });
  }
}

/** @returns the union of all types, which replaces the schema that the service itself uses */
export const eventUnion = (description: unknown): Json => ({
  description,
  oneOf: eventTypeNames.map((type) => refTo(schemaName(type))),
  discriminator: {
    propertyName: 'type',
    mapping: Object.fromEntries(eventTypeNames.map((type) => [type, refTo(schemaName(type)).$ref])),
  },
});

/**
 * @returns the section `webhooks`. It refers to the components below, because openapi-generator would add the requests to the class of
 *   the operations with the same tag: in TypeScript, this class does not compile, and in all languages, it has only these requests
 */
export const eventWebhooks = (): Json =>
  Object.fromEntries(eventTypeNames.map((type) => [type, { $ref: `#/components/pathItems/${type}` }]));

/** @returns the requests of the section `webhooks`, by the type of the event */
export const eventRequests = (examples: Examples): Json =>
  Object.fromEntries(
    eventTypeNames.map((type) => [
      type,
      {
        post: {
          operationId: `events.${type}`,
          tags: ['Events'],
          summary: type,
          description: eventTypes[type],
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: refTo(schemaName(type)), example: exampleOf(type, examples) },
            },
          },
          responses: { '2XX': { description: 'The receiver has the event.' } },
        },
      },
    ]),
  );

/** The resources of these events stay for a while. */
const shownDeletions: readonly EventType[] = ['project.deleted', 'workload_identity.deleted'];
const isGone = (type: EventType) => /\.(deleted|erased|purged)$/.test(type) && !shownDeletions.includes(type);

const ofTenant: readonly EventFamily[] = ['api_key', 'workload_identity', 'webhook'];

function exampleOf(type: EventType, examples: Examples): Json {
  const family = familyOf(type);
  const example = examples[sources[family]]?.data;
  // A GET may show more than the events of its resource.
  const data = example && (eventSchemas[family].parse(example) as Json);
  const projectId = ofTenant.includes(family) ? null : `${idPrefixes.project}_${ulid}`;
  const shown = isGone(type) && data && 'id' in data ? { id: data.id } : data;
  return { id: `evt_${ulid}`, type, timestamp: '2026-03-01T09:30:00.000Z', projectId, data: shown };
}
