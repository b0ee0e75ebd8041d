/** The schema of the settings of a stage. */

import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod';
import { endpoints } from '../functions/index.ts';
import { costQuota, dailyQuotas, defaultLimits, replyQuota } from '../lib/base/stage-limits.ts';
import {
  algorithms,
  checkIssuers,
  defaultIssuer,
  type OidcIssuer,
  tokenTypes,
} from '../lib/credentials/oidc-issuers.ts';
import { tableNames } from '../lib/dynamodb/tables.ts';
import type { SignIn } from '../lib/http/sign-in.ts';
import { maxJobPlaces } from '../lib/jobs/store.ts';
import { rateLimit } from '../lib/limits/schema/usage.ts';
import { maxWaitsPerTenant } from '../lib/schema/query.ts';
import { Models } from './model-settings.ts';

const onRemoval = z.enum(['retain', 'destroy']);
/** The ARNs of a key, a vault and a certificate: partition, service, region, account ("Amazon Resource Names", IAM User Guide). */
const keyForm = /^arn:aws(?:-[a-z]+)*:kms:[a-z0-9-]+:[0-9]{12}:key\/[A-Za-z0-9-]+$/;
const vaultForm = /^arn:aws(?:-[a-z]+)*:backup:[a-z0-9-]+:[0-9]{12}:backup-vault:[A-Za-z0-9_-]{2,50}$/;
const certificateForm = /^arn:aws(?:-[a-z]+)*:acm:[a-z0-9-]+:[0-9]{12}:certificate\/[A-Za-z0-9-]+$/;

const arn = (form: RegExp, example: string) =>
  z.string().regex(form, { error: `must be an ARN like arn:aws:${example}` });

const keyArn = arn(keyForm, 'kms:eu-central-1:123456789012:key/1234abcd');

/**
 * Backups are kept no longer than tables can be restored. Revoked keys and tombstones are kept for little more, and only they keep
 * a restore from bringing removed data back.
 */
const maxBackupDays = 35;
const backupDays = z.int().min(1).max(maxBackupDays);

const Throttle = { rate: z.number().positive(), burst: z.int().positive() };
const endpointId = z.enum(endpoints.map(({ id }) => id));

const Issuer = z.strictObject({
  issuer: z.string(),
  audience: z.string(),
  jwksUri: z.string(),
  algorithm: z.enum(algorithms).default(defaultIssuer.algorithm),
  organisationClaim: z.string().default(defaultIssuer.organisationClaim),
  modeClaim: z.string().default(defaultIssuer.modeClaim),
  scopeClaim: z.string().default(defaultIssuer.scopeClaim),
  projectsClaim: z.string().exactOptional(),
  environmentsClaim: z.string().exactOptional(),
  tokenType: z.enum(tokenTypes).default(defaultIssuer.tokenType),
  organisations: z.array(z.string()).min(1).exactOptional(),
});

/** The issuers of access tokens: one issuer, or a list. */
const AccessTokens = z
  .preprocess((settings) => [settings ?? []].flat(), z.array(Issuer))
  .superRefine((issuers, context) => {
    try {
      // The functions check the same, so settings that they would refuse are refused here.
      checkIssuers(issuers);
    } catch (error) {
      context.addIssue((error as Error).message);
    }
  });

const Quotas = z.strictObject({
  ...Object.fromEntries(dailyQuotas.map((name) => [name, z.int().nonnegative().optional()])),
  jobs: z.int().min(0).max(maxJobPlaces).optional(),
  waits: z.int().min(0).max(maxWaitsPerTenant).optional(),
  /** The replies whose models are asked at the same time. */
  [replyQuota]: z.int().min(1).max(100).optional(),
  /** The cost of models in US dollars per day. */
  [costQuota]: z
    .number()
    .nonnegative()
    .max(1_000_000_000)
    .refine((usd) => Number(usd.toFixed(6)) === usd, { error: 'must have at most six decimals' })
    .optional(),
});

const TenantLimits = z.strictObject({
  rateLimit: rateLimit.nullable().default(null),
  quotas: Quotas.default({}),
});

export const Settings = z
  .strictObject({
    tables: z.strictObject({
      /** `destroy` deletes the data with the stack. */
      onRemoval,
      deletionProtection: z.boolean(),
      pointInTimeRecovery: z.boolean(),
      /**
       * A KMS key of your own for the tables and the bucket of files, instead of the keys that AWS owns: `true` for a new key,
       * or the ARN of an existing key.
       */
      customerManagedKey: z.union([z.boolean(), keyArn]).default(false),
      /** A trail of CloudTrail with every read and write of the tables. */
      dataEvents: z.boolean().default(false),
      /** The ARNs of the streams of replaced tables: see docs/restore.md. */
      streams: z.partialRecord(z.enum(tableNames), z.string().startsWith('arn:')).default({}),
    }),
    /** `retain` keeps the log groups when the stack is deleted. CloudWatch accepts only certain numbers of days. */
    logs: z.strictObject({ onRemoval, retentionDays: z.enum(RetentionDays) }),
    /** Whether CloudFormation refuses to delete the stack. */
    terminationProtection: z.boolean(),
    /** Tags of every resource, in addition to `service` and `stage`. */
    tags: z
      .record(z.string().min(1).max(128), z.union([z.string(), z.number()]).transform(String))
      .default({}),
    /** Requests per second and per burst, for each method of the API. `methods` overrides them for single endpoints. */
    throttle: z.strictObject({
      ...Throttle,
      methods: z.partialRecord(endpointId, z.strictObject(Throttle)).default({}),
    }),
    /** CloudWatch alarms, a dashboard, and metrics per endpoint. All are billed monthly. */
    monitoring: z.boolean(),
    /** The account's quota "Concurrent executions" of Lambda. An alarm is on at 80 % of it. */
    concurrencyLimit: z.int().positive().default(1000),
    /** Saved queries of CloudWatch Logs Insights. */
    savedQueries: z.boolean().default(false),
    /** `canary` lets CodeDeploy shift calls to new versions step by step, and back when an alarm is on. */
    deployment: z.enum(['all-at-once', 'canary']).default('all-at-once'),
    /** Who receives the alarms. Other targets can subscribe to the stack's topic. */
    alarmEmail: z.email().nullish(),
    /** The ARN of an existing KMS key for the secrets of webhooks. Without this setting, the stack makes a key. */
    secretsKeyArn: keyArn.nullish(),
    /** Daily backups by AWS Backup, and copies of them in a vault of another account. */
    backup: z
      .strictObject({
        keepDays: backupDays,
        copyToVaultArn: arn(vaultForm, 'backup:eu-central-1:123456789012:backup-vault:copies').nullish(),
        copyKeepDays: backupDays.default(maxBackupDays),
      })
      .nullish(),
    /** Your own address: https://<domainName>/<basePath>/v1. */
    customDomain: z
      .strictObject({
        domainName: z
          .string()
          .regex(/^([a-z0-9-]+\.)+[a-z]{2,}$/, { error: 'must be a host name in lower case' }),
        certificateArn: arn(certificateForm, 'acm:eu-central-1:123456789012:certificate/1234abcd'),
        basePath: z
          .string()
          .regex(/^[A-Za-z0-9._-]+$/, { error: 'must be one part of a path, without slashes' }),
        /** Whether the address of API Gateway itself stops responding. */
        closeExecuteApi: z.boolean().default(false),
      })
      .nullish(),
    /** AWS WAF in front of the API, with a limit of requests per address in five minutes. */
    waf: z.strictObject({ requestsPerAddress: z.int().min(10).max(2_000_000_000) }).nullish(),
    /** The OIDC issuers whose access tokens are accepted in addition to API keys. */
    accessTokens: AccessTokens,
    /** The OIDC client with which people sign in to the console. The issuer is one of `accessTokens`. */
    console: z.strictObject({ issuer: z.string(), clientId: z.string().min(1).max(200) }).nullish(),
    /** The limits of each tenant, for live and for test data: requests, and quotas of everything that costs money. */
    limits: z
      .strictObject({
        live: TenantLimits.default(defaultLimits.live),
        test: TenantLimits.default(defaultLimits.test),
      })
      .default(defaultLimits),
    /** The models that avatars and evaluators may name, of Amazon Bedrock or of other endpoints, with their prices. */
    models: Models.default([]),
    /** Whether X-Ray traces the requests. */
    tracing: z.boolean(),
    /** Hours for which an Idempotency-Key is remembered. */
    idempotencyHours: z.number().positive(),
    /** Days for which events stay in the audit log. */
    auditDays: z.int().positive(),
  })
  .refine(({ console, accessTokens }) => !console || signInOf({ console, accessTokens }), {
    path: ['console', 'issuer'],
    error: 'must be the issuer of accessTokens, because the API accepts only their tokens',
  })
  .refine(({ alarmEmail, monitoring }) => !alarmEmail || monitoring, {
    path: ['alarmEmail'],
    error: 'there are no alarms to send, because monitoring is false',
  })
  .superRefine(({ models, limits }, context) => {
    if (models.length === 0) return;
    for (const mode of ['live', 'test'] as const) {
      if (limits[mode].quotas[costQuota] !== undefined) continue;
      context.addIssue({
        code: 'custom',
        path: ['limits', mode, 'quotas', costQuota],
        message: 'must be set, because the stage lists models, and each of their answers costs',
      });
    }
  })
  .refine(({ deployment, monitoring }) => deployment === 'all-at-once' || monitoring, {
    path: ['deployment'],
    error: 'no alarm could stop a canary, because monitoring is false',
  });

type Signing = {
  console?: { issuer: string; clientId: string } | null | undefined;
  accessTokens: readonly OidcIssuer[];
};

/** @returns the OIDC client of the console; undefined if the stage names no client, or if its issuer is unknown */
export function signInOf({ console, accessTokens }: Signing): SignIn | undefined {
  const issuerSettings = accessTokens.find(({ issuer }) => issuer === console?.issuer);
  return console && issuerSettings ? { ...console, resource: issuerSettings.audience } : undefined;
}
