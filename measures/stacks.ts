/** The stacks of a stage as CloudFormation receives them. Needs the functions' bundles. */

import { App, type CfnResource, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { DISABLE_ASSET_STAGING_CONTEXT } from 'aws-cdk-lib/cx-api';
import { configOf, type StageConfig } from '../infra/config.ts';
import type { Release } from '../infra/stack.ts';
import { addStacks } from '../infra/stacks.ts';
import { releaseOf } from './many-endpoints.ts';

export type Resource = {
  /** The name of its stack: `PlatformApi-dev`, or for a nested one `PlatformApi-dev/projects`. */
  stack: string;
  logicalId: string;
  Type: string;
  Properties: Record<string, unknown>;
  DeletionPolicy?: string;
};

type Body = {
  Resources?: Record<string, Partial<Resource> & { Type: string }>;
  Outputs?: Record<string, { Value: unknown }>;
  Parameters?: Record<string, unknown>;
};

/** The two stacks of a stage, and the nested ones. */
export class Synthesised {
  readonly resources: readonly Resource[];
  readonly templates: ReadonlyMap<string, Body>;
  private readonly nested: readonly { name: string; parent: string; logicalId: string }[];
  private readonly byType: Partial<Record<string, Resource[]>>;
  private readonly byName: ReadonlyMap<string, Resource>;

  constructor(config: StageConfig, release?: Release) {
    // Nobody deploys them, so the bundles are not copied.
    const app = new App({ context: { [DISABLE_ASSET_STAGING_CONTEXT]: true } });
    addStacks(app, config, release);
    const stacks = app.node.findAll().filter((construct) => Stack.isStack(construct));
    this.templates = new Map(
      stacks.map((stack) => [stack.node.path, Template.fromStack(stack).toJSON() as Body]),
    );
    this.nested = stacks.flatMap(nestedIn);
    this.resources = [...this.templates].flatMap(([stack, { Resources = {} }]) =>
      Object.entries(Resources).map(([logicalId, resource]) => ({
        stack,
        logicalId,
        Properties: {},
        ...resource,
      })),
    );
    this.byType = Object.groupBy(this.resources, ({ Type }) => Type);
    this.byName = new Map(this.resources.map((each) => [nameOf(each.stack, each.logicalId), each]));
  }

  ofType(type: string): Resource[] {
    return this.byType[type] ?? [];
  }

  /** @returns the values of a stack's outputs by name */
  outputsOf(stack: string): Record<string, unknown> {
    const { Outputs = {} } = this.templates.get(stack) ?? {};
    return Object.fromEntries(Object.entries(Outputs).map(([name, { Value }]) => [name, Value]));
  }

  /**
   * @param value a `Ref` or `Fn::GetAtt` in a template
   * @returns the resource that it names, also through parameters and outputs of nested stacks
   */
  target(stack: string, value: unknown): Resource | undefined {
    const { Ref, 'Fn::GetAtt': attribute } = (value ?? {}) as { Ref?: string; 'Fn::GetAtt'?: string[] };
    const [logicalId = Ref, name = ''] = attribute ?? [];
    if (logicalId === undefined) return undefined;
    const found = this.resourceAt(stack, logicalId);
    const nested = this.nested.find((each) => each.parent === stack && each.logicalId === logicalId);
    if (nested) {
      const output = this.templates.get(nested.name)?.Outputs?.[name.replace('Outputs.', '')];
      return this.target(nested.name, output?.Value);
    }
    if (found) return found;
    const own = this.nested.find((each) => each.name === stack);
    const { Parameters = {} } = this.resourceAt(own?.parent, own?.logicalId)?.Properties ?? {};
    return own && this.target(own.parent, (Parameters as Record<string, unknown>)[logicalId]);
  }

  /** @returns the first resource that is named anywhere in a value of a template, such as an ARN made of parts */
  named(stack: string, value: unknown): Resource | undefined {
    if (typeof value !== 'object' || value === null) return undefined;
    const found = this.target(stack, value);
    if (found) return found;
    for (const part of Object.values(value)) {
      const inPart = this.named(stack, part);
      if (inPart) return inPart;
    }
    return undefined;
  }

  private resourceAt(stack: string | undefined, logicalId: string | undefined): Resource | undefined {
    return this.byName.get(nameOf(stack, logicalId));
  }
}

const nameOf = (stack?: string, logicalId?: string) => `${stack} ${logicalId}`;

/** @returns a nested stack's name, and its resource in the stack that contains it */
function nestedIn(stack: Stack): { name: string; parent: string; logicalId: string }[] {
  const { nestedStackParent: parent, nestedStackResource: resource, node } = stack;
  if (!parent || !resource) return [];
  const logicalId = String(parent.resolve((resource as CfnResource).logicalId));
  return [{ name: node.path, parent: parent.node.path, logicalId }];
}

const made = new Map<string, Synthesised>();

/**
 * @param endpoints how many, if not those that there are
 * @returns the stacks of a stage. Cached, because it takes seconds
 */
export function stacksOf(stage: string, endpoints?: number): Synthesised {
  const key = `${stage} ${endpoints}`;
  const known =
    made.get(key) ?? new Synthesised(configOf(stage), endpoints ? releaseOf(endpoints) : undefined);
  made.set(key, known);
  return known;
}
