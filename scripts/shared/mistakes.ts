/** Mistakes in an operator's AWS settings, in one sentence each. */

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** @returns the problem and its solution, for an AWS SDK error that the operator can fix; otherwise undefined */
export async function explainMistake(error: unknown): Promise<string | undefined> {
  if (!(error instanceof Error)) return undefined;
  if (!(await hasRegion())) {
    return 'No AWS region is set. Set AWS_REGION, for example AWS_REGION=eu-central-1, or run aws configure.';
  }
  switch (error.name) {
    case 'CredentialsProviderError':
      return (
        'No AWS credentials were found. Set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or ' +
        'run aws configure.'
      );
    case 'ExpiredToken':
    case 'ExpiredTokenException':
      return 'Your AWS credentials have expired. Sign in again, for example with aws sso login.';
    case 'InvalidClientTokenId':
    case 'UnrecognizedClientException':
    case 'SignatureDoesNotMatch':
      return (
        'AWS does not accept your credentials. Check AWS_PROFILE, or AWS_ACCESS_KEY_ID and ' +
        'AWS_SECRET_ACCESS_KEY.'
      );
    case 'AccessDenied':
    case 'AccessDeniedException':
      return `Your AWS credentials do not allow this: ${error.message}`;
    case 'ValidationError':
      // CloudFormation's error for a stack that does not exist.
      return `${error.message}. Check the name of the stage, AWS_PROFILE and AWS_REGION.`;
    case 'ResourceNotFoundException':
      return (
        'The table does not exist in this account and region. Check the names of the tables, AWS_PROFILE ' +
        'and AWS_REGION.'
      );
  }
  if (hasCode(error, 'ENOTFOUND', 'ECONNREFUSED', 'EAI_AGAIN') || error.name === 'TimeoutError') {
    return (
      `AWS cannot be reached: ${error.message || 'no response'}. Check the network, AWS_REGION and the ` +
      'AWS_ENDPOINT_URL variables.'
    );
  }
  return undefined;
}

/** The SDK's error for a missing region has no name or code of its own. */
const hasRegion = (): Promise<boolean> =>
  new DynamoDBClient({}).config.region().then(
    () => true,
    () => false,
  );

/** Node combines several failed attempts into one error without a message (AggregateError). */
const hasCode = (error: Error, ...codes: readonly string[]): boolean =>
  'code' in error && typeof error.code === 'string' && codes.includes(error.code);
