import * as z from 'zod';
import { id, shownTime } from '../schema/common.ts';

const actorKinds = ['key', 'identity', 'token', 'worker', 'operator'] as const;

const resourceTypes = [
  'organisation',
  'api_key',
  'workload_identity',
  'access_token',
  'project',
  'avatar',
  'knowledge_document',
  'knowledge_source',
  'job',
  'upload',
  'deployment',
  'environment',
  'rollout',
  'conversation',
  'evaluator',
  'webhook',
] as const;
export type ResourceType = (typeof resourceTypes)[number];

const refusalReasons = [
  'key_revoked',
  'key_expired',
  'identity_deleted',
  'identity_expired',
  'identity_suspended',
  'address_not_allowed',
  'escalation',
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

const values = z
  .record(z.string(), z.unknown())
  .meta({
    id: 'AuditedValues',
    description: 'The values of fields, by name.',
    example: { name: 'Support' },
  })
  .nullable();

export const AuditEvent = z
  .object({
    id: id('auditEvent'),
    at: shownTime().meta({ description: 'When the request started. Events are sorted by it.' }),
    actor: z
      .object({
        kind: z
          .enum(actorKinds)
          .meta({ isOpen: true, description: 'The kind of the actor.', example: 'key' }),
        id: z.string().meta({
          description:
            'The id of an API key or of a workload identity, `sub:` and the subject of an access token, `worker:` and ' +
            "the name of a worker, or the name of an operator's command.",
          example: 'key_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
        }),
        subject: z.string().nullable().meta({
          description:
            'The subject of the token with which a workload identity was used. Null for other actors.',
          example: null,
        }),
        name: z.string().nullable().meta({
          description:
            'The name of the API key or of the workload identity when the event was written. Null for other actors.',
          example: 'ci',
        }),
      })
      .meta({ id: 'AuditActor', description: 'Who did it.' }),
    action: z.string().meta({
      description:
        'The called operation: the `operationId` of an endpoint, `worker:` and the name of a worker, or `script:` and ' +
        'the name of a command.',
      example: 'projects.update',
    }),
    outcome: z.enum(['succeeded', 'refused']).meta({
      id: 'AuditOutcome',
      description: 'Whether the request succeeded or was refused.',
      example: 'succeeded',
    }),
    reason: z.enum(refusalReasons).meta({ isOpen: true }).nullable().meta({
      description: 'Why the request was refused. Null if it succeeded.',
      example: null,
    }),
    resource: z
      .object({
        type: z
          .enum(resourceTypes)
          .meta({ isOpen: true, description: 'The kind of the resource.', example: 'project' }),
        id: z.string().meta({
          description: 'The id of the resource, or the name of an environment.',
          example: 'proj_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
        }),
      })
      .meta({ id: 'AuditedResource', description: 'The changed resource.' }),
    projectId: id('project')
      .nullable()
      .meta({ description: 'The id of the project. Null if the resource belongs to no project.' }),
    changes: z
      .object({
        fields: z.array(z.string()).meta({
          description: 'The fields that have changed, or the fields of a new resource that have a value.',
          example: ['name'],
        }),
        before: values.meta({
          description:
            'The values before, of the fields that may be logged. Null for a new or deleted resource.',
        }),
        after: values.meta({ description: 'The values after. Null for a deleted resource.' }),
        omitted: z.array(z.string()).meta({
          description: 'The fields that are too long for the log: their values are left out.',
          example: [],
        }),
      })
      .meta({ id: 'AuditedChanges', description: 'The changed fields.' })
      .nullable()
      .meta({
        description:
          'The changed fields. Null if the request was refused, or if an operator has replayed the change. For ' +
          'conversations, documents and the prompts of avatars, only the names of the fields are logged.',
      }),
    requestId: z.string().nullable().meta({
      description: 'The `X-Request-Id` of the request. Null if there was no request.',
      example: '7f1c5d0e-6a39-4f0b-9c55-0d1f5a3f8f10',
    }),
    callId: id('call').meta({
      description:
        'The id of the call of the service. Changes of several resources by one request have the same id.',
    }),
    origin: z
      .object({
        address: z.string().nullable().meta({
          description:
            'The address of the caller, as the gateway saw it: no header can change it. Null if it is unknown.',
          example: '203.0.113.7',
        }),
        userAgent: z.string().nullable().meta({
          description:
            'The `User-Agent` of the caller, at most 200 characters. Null if the caller sent no `User-Agent`.',
          example: 'curl/8.14.1',
        }),
        via: z
          .enum(['mcp'])
          .nullable()
          .meta({
            description:
              '`mcp` if the request came through `POST /mcp`: the address is then that of its function. It follows from the ' +
              '`User-Agent`, so a caller can claim it. Null for any other request.',
            isOpen: true,
            example: null,
          }),
      })
      .meta({ id: 'RequestOrigin', description: 'Where a request came from.' })
      .nullable()
      .meta({
        description: 'Where the request came from. Null for workers and commands, and after 90 days.',
      }),
  })
  .meta({ id: 'AuditEvent', description: 'A change of one resource by one call, or a refused request.' });

export type AuditEvent = z.infer<typeof AuditEvent>;
