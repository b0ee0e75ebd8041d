/** What differs between stages. `cdk deploy -c stage=prod` chooses; each stage is a stack of its own. */

import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { OidcSettings } from '../lib/credentials/oidc-settings.ts';

export type StageConfig = {
  /** Names the stack, `PlatformApi-<stage>`, so that several fit in one account. */
  stage: string;
  tables: {
    /** `destroy` takes the data away with the stack. */
    onRemoval: 'retain' | 'destroy';
    deletionProtection: boolean;
    pointInTimeRecovery: boolean;
  };
  logRetention: RetentionDays;
  /** Requests per second and in one burst, for the whole stage; above that, 429. */
  throttle: { rate: number; burst: number };
  /** Where alarms go; the topic is made in any case. */
  alarmEmail: string | undefined;
  /** An address of your own: the API is then at https://<domainName>/<basePath>/v1. */
  customDomain: { domainName: string; certificateArn: string; basePath: string } | undefined;
  /** Puts AWS WAF in front: managed common rules, and a bound on requests per address in five minutes. */
  waf: { requestsPerAddress: number } | undefined;
  /** Whose access tokens are accepted beside API keys; `defaultOidcSettings` has what most issuers need no other of. */
  accessTokens: OidcSettings | undefined;
  /** X-Ray. */
  tracing: boolean;
  /** How long an Idempotency-Key is remembered, in hours. */
  idempotencyHours: number;
};

const dev: StageConfig = {
  stage: 'dev',
  tables: { onRemoval: 'destroy', deletionProtection: false, pointInTimeRecovery: false },
  logRetention: RetentionDays.ONE_WEEK,
  throttle: { rate: 500, burst: 1000 },
  alarmEmail: undefined,
  customDomain: undefined,
  waf: undefined,
  accessTokens: undefined,
  tracing: false,
  idempotencyHours: 24,
};

const prod: StageConfig = {
  stage: 'prod',
  tables: { onRemoval: 'retain', deletionProtection: true, pointInTimeRecovery: true },
  logRetention: RetentionDays.THREE_MONTHS,
  throttle: { rate: 1000, burst: 2000 },
  alarmEmail: undefined,
  customDomain: undefined,
  waf: { requestsPerAddress: 10_000 },
  accessTokens: undefined,
  tracing: true,
  idempotencyHours: 24,
};

export const stages = { dev, prod } as const;

/** @throws Error that names the stages, for another one */
export function configOf(stage: string): StageConfig {
  if (!Object.hasOwn(stages, stage)) {
    throw new Error(`There is no stage "${stage}": infra/config.ts has ${Object.keys(stages).join(', ')}.`);
  }
  return stages[stage as keyof typeof stages];
}
