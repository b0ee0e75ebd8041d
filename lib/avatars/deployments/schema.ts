import * as z from 'zod';
import { id, shownCredential, shownTime } from '../../schema/common.ts';
import { environmentName } from '../../schema/names.ts';
import { name, text } from '../../schema/text.ts';
import { type AvatarModel, avatarModel } from '../model.ts';
import { runtime } from '../runtime.ts';
import { avatarContent, versionNumber } from '../schema.ts';

const sha = z.string().meta({ description: 'The commit hash, in lower case.', example: '6d5f75d' });

const ref = name(255).meta({ description: 'The branch or tag.', example: 'refs/heads/main' });

/** The commit in a request. */
export const newGit = z
  .strictObject({
    sha: z
      .string()
      .regex(/^[0-9a-fA-F]{7,64}$/, 'must be 7 to 64 hexadecimal digits')
      .transform((digits) => digits.toLowerCase())
      .meta({ description: 'The commit hash: its first 7 digits or more.', example: '6d5f75d' }),
    ref,
  })
  .meta({ id: 'GitCommitInput', description: 'The commit to deploy.' });

/** In place of the project: what is deployed, of another environment. */
export const promotedSource = z
  .strictObject({
    deploymentId: id('deployment').optional().meta({ description: 'This deployment.' }),
    environment: environmentName.optional().meta({
      description: 'The current deployment of this environment, in place of `deploymentId`.',
    }),
  })
  .check(({ value: { deploymentId, environment }, issues }) => {
    const refuse = (field: string, message: string) =>
      issues.push({ code: 'custom', message, path: [field], input: deploymentId });
    if (deploymentId === undefined && environment === undefined)
      refuse('environment', 'is required, or deploymentId');
    if (deploymentId !== undefined && environment !== undefined)
      refuse('environment', 'must be left out if there is a deploymentId');
  })
  .meta({
    id: 'DeploymentSource',
    description: 'What is promoted: a deployment, or the current deployment of an environment.',
  });

export type PromotedSource = z.infer<typeof promotedSource>;

/** The start of a commit hash, for a filter. */
export const shaPrefix = z
  .string()
  .regex(/^[0-9a-fA-F]{1,64}$/, 'must be 1 to 64 hexadecimal digits')
  .transform((digits) => digits.toLowerCase());

export const reason = text(500).meta({
  description: 'The reason, for people.',
  example: 'Greets by name again.',
});

export const maxAvatars = 100;

export const phase = z.enum(['staged', 'current', 'superseded']).meta({
  id: 'DeploymentPhase',
  description:
    'Whether the deployment is served: `staged` until it is promoted, `current` while it is served, `superseded` ' +
    'when another deployment has replaced it.',
  example: 'current',
});

const configHash = z.string().meta({
  description: 'SHA-256 of the content. Deployments with equal content have equal hashes.',
  example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
});

const knowledgeIndexVersion = z
  .string()
  .nullable()
  .meta({ description: 'The index that was published at that time; null if no index was published.' });

export const Deployment = z
  .object({
    id: id('deployment'),
    environment: environmentName,
    git: z
      .object({ sha, ref })
      .meta({ id: 'GitCommit', description: 'The deployed commit.' })
      .nullable()
      .meta({ description: 'The deployed commit. Null if the request had no commit.' }),
    reason: reason.nullable(),
    phase,
    avatars: z
      .array(
        z
          .object({ avatarId: id('avatar'), version: versionNumber })
          .meta({ id: 'DeployedAvatar', description: 'An avatar in a deployment.' }),
      )
      .meta({ description: 'The frozen versions, sorted by avatar id.' }),
    knowledgeIndexVersion,
    configHash,
    // Deployments of earlier versions of the service lack it.
    promotedFrom: id('deployment')
      .nullable()
      .default(null)
      .meta({
        description:
          'The deployment of another environment whose avatars, index and commit it has. Null if it was made from the ' +
          'project.',
      }),
    createdAt: shownTime().meta({ description: 'When the deployment was created.' }),
    createdBy: shownCredential().meta({ description: 'The credential that deployed it.' }),
    promotedAt: shownTime()
      .nullable()
      .meta({ description: 'When it last became current. Null if it was never promoted.' }),
  })
  .meta({ id: 'Deployment', description: "A snapshot of a project's avatars and knowledge." });

export type Deployment = z.infer<typeof Deployment>;

const WarnedDocument = z
  .object({
    documentId: id('knowledgeDocument'),
    title: z.string().nullable().meta({
      description: 'The title. Null if the credential lacks `knowledge:read`.',
      example: 'Warranty',
    }),
    externalId: z.string().nullable().meta({
      description: 'Your own id. Null if there is none, or if the credential lacks `knowledge:read`.',
      example: 'handbook/warranty.pdf',
    }),
    code: z.string().meta({ description: 'The reason, for programs.', example: 'no_text' }),
    message: z
      .string()
      .meta({ description: 'The reason, for people.', example: 'The file contains no text.' }),
  })
  .meta({
    id: 'WarnedDocument',
    description: 'A document that the index does not include, or only in part, and why.',
  });

export type WarnedDocument = z.infer<typeof WarnedDocument>;

const warning = z
  .object({
    code: z
      .enum([
        'nothing_to_deploy',
        'documents_pending',
        'documents_failed',
        'documents_read_in_part',
        'knowledge_tags_unmatched',
      ])
      .meta({
        isOpen: true,
        description:
          'The kind, for programs. `nothing_to_deploy`: the project has no active avatar and no published index. ' +
          '`documents_read_in_part`: documents with `extractionNotes`. ' +
          '`knowledge_tags_unmatched`: no document has any knowledge tag of an avatar, so that its searches find nothing.',
        example: 'documents_failed',
      }),
    message: z.string().meta({
      description: 'The warning, for people.',
      example:
        '1 document has failed, so the index does not include its text: Warranty (no_text). Send each document again ' +
        'with a text that can be read, delete it, or ignore it.',
    }),
    count: z.int().meta({
      description: 'The number of documents, or of avatars. 0 for `nothing_to_deploy`.',
      example: 1,
    }),
    documents: z.array(WarnedDocument).meta({
      description: 'The first five of these documents. Empty if the warning is about something else.',
    }),
  })
  .meta({
    id: 'DeploymentWarning',
    description:
      'Stored documents that the deployment does not include or that were read in part, avatars whose tags match no document, or ' +
      'a deployment without avatars and index.',
  });

export type DeploymentWarning = z.infer<typeof warning>;

export const CreatedDeployment = Deployment.extend({
  heldBack: z.boolean().meta({
    description:
      'Whether it stays staged because a rollback has pinned its environment, or because a rollout runs in it. Promote it yourself.',
  }),
  heldBackReason: z
    .enum(['rollback', 'rollout'])
    .nullable()
    .meta({ description: 'Why it is held back. Null if it is not.', example: null }),
  warnings: z.array(warning).meta({
    description:
      'Stored data that the deployment does not include, documents that were read in part, and avatars whose tags match no ' +
      'document. Usually empty.',
  }),
}).meta({ id: 'CreatedDeployment', description: 'A new deployment, with warnings.' });

export const Environment = z
  .object({
    name: environmentName,
    current: id('deployment')
      .nullable()
      .meta({ description: 'The deployment that the environment serves. Null before the first promotion.' }),
    previous: id('deployment').nullable().meta({
      description: 'The deployment that a rollback returns to. Null if there is no such deployment.',
    }),
    pinned: z.boolean().meta({
      description: 'Whether new deployments stay staged. True from a rollback until the next promotion.',
    }),
    rollback: z
      .object({
        from: id('deployment').meta({
          description:
            'The deployment that was current before, or the candidate of the rollout that has ended.',
        }),
        reason: reason.nullable(),
        at: shownTime().meta({ description: 'When it was rolled back.' }),
        by: shownCredential().meta({ description: 'The credential that rolled back.' }),
      })
      .meta({ id: 'Rollback', description: 'A rollback of an environment.' })
      .nullable()
      .meta({ description: 'The rollback that pinned the environment. Null if it is not pinned.' }),
    createdAt: shownTime().meta({ description: 'When the environment was created.' }),
    updatedAt: shownTime().meta({ description: 'When the environment was last changed.' }),
  })
  .meta({ id: 'Environment', description: 'A named environment, which serves one deployment at a time.' });

export type Environment = z.infer<typeof Environment>;

const FrozenAvatar = z
  .object({
    id: id('avatar'),
    version: versionNumber,
    ...avatarContent,
    // Without them, a reader computes the `configHash` of earlier versions of the service from all fields.
    model: avatarModel.optional().meta({
      description: 'The model that answers for the avatar. Missing if the avatar has none.',
    }),
    runtime: runtime
      .optional()
      .meta({ description: 'JSON for your own runtime. Missing if the avatar has none.' }),
  })
  .meta({ id: 'FrozenAvatar', description: 'An avatar as it is served.' });

export type FrozenAvatar = z.infer<typeof FrozenAvatar>;

/** An avatar that a deployment freezes, or has frozen: without a model, it has null or nothing. */
export type FreezableAvatar = Omit<FrozenAvatar, 'version' | 'model'> & {
  model?: AvatarModel | null | undefined;
};

const EnvironmentRollout = z
  .object({
    id: id('rollout'),
    percent: z
      .number()
      .meta({ description: 'The share of the units that get the candidate, in percent.', example: 10 }),
    span: z
      .int()
      .meta({ description: 'The number of the span of this percent in the rollout, from 1.', example: 1 }),
    candidate: z
      .object({ deploymentId: id('deployment'), configHash })
      .meta({ id: 'EnvironmentCandidate', description: 'The deployment that a part of the units gets.' }),
    variant: z.enum(['current', 'candidate']).optional().meta({
      id: 'RolloutVariant',
      description: 'What the unit gets. Missing without `unit`.',
      example: 'candidate',
    }),
    assignment: z.string().optional().meta({
      description:
        'What a conversation of the unit is created with: `<rollout id>.<span>.<variant>.<16 hex digits>`. Missing without `unit`.',
      example: 'rol_01ARZ3NDEKTSV4RRFFQ69G5FAV.1.candidate.0a1b2c3d4e5f6071',
    }),
  })
  .meta({ id: 'EnvironmentRollout', description: 'A rollout that has not ended.' });

export const EnvironmentConfig = z
  .object({
    environment: environmentName,
    deploymentId: id('deployment').meta({
      description:
        'The id of the deployment: of the environment, its current deployment, or the candidate if the unit has it.',
    }),
    configHash,
    knowledgeIndexVersion,
    avatars: z.array(FrozenAvatar).meta({ description: 'The avatars, sorted by id.' }),
    rollout: EnvironmentRollout.nullable().meta({
      description:
        'The rollout of the environment. Null if there is none, and in the configuration of a deployment.',
    }),
  })
  .meta({
    id: 'EnvironmentConfig',
    description: 'What a deployment has frozen: everything that a runtime needs.',
  });

export type EnvironmentConfig = z.infer<typeof EnvironmentConfig>;
