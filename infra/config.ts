/**
 * The settings of a stage, from `stages/<stage>.json`. CDK's context overrides them (`-c alarmEmail=…`). `cdk deploy -c
 * stage=prod` chooses the stage. Each stage has two stacks of its own.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type * as z from 'zod';
import { root } from '../scripts/shared/root.ts';
import { isStageName } from './names.ts';
import { Settings } from './settings.ts';

const folder = resolve(root, 'stages');

/** A mistake in the name or settings of a stage. Its message is shown without a stack trace. */
export class SettingsError extends Error {}

export type StageConfig = z.output<typeof Settings> & {
  /** Part of the stack's name, `PlatformApi-<stage>`, so that one account can hold several stages. */
  stage: string;
  /** The commit that is deployed. */
  commit?: string;
};

/** The names of all settings. */
export const settingNames: readonly string[] = Object.keys(Settings.shape);

/** @returns the stages that have a settings file */
export const stageNames = (): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort();

/** The account and the region of the stage, as far as the CDK CLI knows them. */
type Place = { account?: string | undefined; region?: string | undefined };

/**
 * Refuses a KMS key or a certificate of another account or region. With it, a deployment would fail late, or only its functions
 * would fail.
 */
function refuseElsewhere(config: z.output<typeof Settings>, { account, region }: Place): string[] {
  const { tables, secretsKeyArn, customDomain } = config;
  const arns = {
    'tables.customerManagedKey': tables.customerManagedKey,
    secretsKeyArn,
    'customDomain.certificateArn': customDomain?.certificateArn,
  };
  return Object.entries(arns).flatMap(([name, arn]) => {
    if (typeof arn !== 'string') return [];
    const [, , , arnRegion, arnAccount] = arn.split(':');
    const isHere = (region ?? arnRegion) === arnRegion && (account ?? arnAccount) === arnAccount;
    return isHere
      ? []
      : [`  ${name}: must be in the account and region of the stage, ${account} and ${region}`];
  });
}

/**
 * @param context settings by name or path (`waf.requestsPerAddress`), as from CDK's `-c`: texts or JSON. CDK's own
 *   values are ignored
 * @param place the account and region of the deployment, if they are known
 * @throws SettingsError that names each mistake
 */
export function configOf(
  stage: string,
  context: Readonly<Record<string, unknown>> = {},
  place: Place = {},
): StageConfig {
  const file = `stages/${stage}.json`;
  if (!isStageName(stage)) {
    throw new SettingsError(
      `${file}: the name of a stage must have at most 20 letters, digits and hyphens, must start with a ` +
        'letter, and must not end with -data.',
    );
  }
  const names = stageNames();
  if (!names.includes(stage)) {
    const [like] = names.slice(-1);
    throw new SettingsError(
      `There is no stage "${stage}", only ${names.join(' and ')}. To add it, copy stages/${like}.json to ` +
        `${file} and change its settings.`,
    );
  }
  const settings = parseJson(readFileSync(resolve(folder, `${stage}.json`), 'utf8'), file);
  const result = Settings.safeParse(withContext(settings, context));
  const issues = result.success
    ? refuseElsewhere(result.data, place)
    : result.error.issues.map(
        ({ path, message }) => `  ${[path.join('.'), message].filter(Boolean).join(': ')}`,
      );
  if (result.success && issues.length === 0) return { ...result.data, stage };
  throw new SettingsError(
    `The settings of the stage ${stage} (${file}, -c) are invalid:\n${issues.join('\n')}`,
  );
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SettingsError(`${file} is not JSON: ${(error as Error).message}.`);
  }
}

type Tree = Record<string, unknown>;

const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function withContext(settings: unknown, context: Readonly<Record<string, unknown>>): unknown {
  if (!isTree(settings)) return settings;
  let result = settings;
  for (const [name, value] of Object.entries(context)) {
    const path = name.split('.');
    if (settingNames.includes(path[0] ?? '')) result = withValue(result, path, meaningOf(value));
    else if (isMeantAsSetting(name)) result = withValue(result, [name], value);
  }
  return result;
}

/** CDK's own names contain a colon, slash, at sign or hyphen. Other names except `stage` are settings, or mistakes. */
const isMeantAsSetting = (name: string): boolean => name !== 'stage' && /^[a-z][a-z0-9]*(\.|$)/i.test(name);

/** @returns a copy with the value at the path */
function withValue(tree: Tree, [name = '', ...rest]: readonly string[], value: unknown): Tree {
  const subtree = tree[name];
  return {
    ...tree,
    [name]: rest.length === 0 ? value : withValue(isTree(subtree) ? subtree : {}, rest, value),
  };
}

/** `-c` passes text only. Text that is not JSON is used unchanged. */
function meaningOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
