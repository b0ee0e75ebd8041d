import { Fn, RemovalPolicy } from 'aws-cdk-lib';
import { type IRole, Role } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  type CfnAlias,
  type IVersion,
  type Function as LambdaFunction,
  type VersionOptions,
} from 'aws-cdk-lib/aws-lambda';

/** Each release publishes a version of the functions that it changes. Old versions are kept, so that a rollback finds them. */
export const versionOptions: VersionOptions = { removalPolicy: RemovalPolicy.RETAIN };

/**
 * The alias that callers of a function use. A rollback points it to an earlier version.
 *
 * The version's number is the last part of its ARN. It is not read from its attributes, because MiniStack forgets those
 * of unchanged resources when it updates a nested stack.
 */
export function liveAlias(handler: LambdaFunction): Alias {
  const version = handler.currentVersion;
  const alias = new Alias(handler, 'Live', { aliasName: 'live', version: version as IVersion });
  (alias.node.defaultChild as CfnAlias).functionVersion = Fn.select(7, Fn.split(':', version.functionArn));
  return alias;
}

/** A role whose ARN is built from its name, because MiniStack would forget the attribute. Its policies do not change. */
export const byName = (role: Role): IRole =>
  Role.fromRoleName(role, 'ByName', role.roleName, { mutable: false });
