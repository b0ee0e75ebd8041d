/** The names of a stage's stacks. The names of its tables and functions start with them. */

/**
 * Whether a stage may have this name. A Lambda function's name has at most 64 characters ("FunctionName", CreateFunction,
 * AWS Lambda API Reference): this leaves 31 for the id of an endpoint or a worker. A stage `dev-data` would have the same
 * stack as the data of `dev`.
 */
export const isStageName = (name: string): boolean =>
  /^[a-z][a-z0-9-]{0,19}$/i.test(name) && !name.toLowerCase().endsWith('-data');

export const stackName = (stage: string): string => `PlatformApi-${stage}`;

/** The stack with the tables. */
export const dataStackName = (stage: string): string => `${stackName(stage)}-data`;

/** @param id the id of an endpoint or worker. @returns `PlatformApi-dev-projects-get` for `projects.get` */
export const functionName = (stage: string, id: string): string =>
  `${stackName(stage)}-${id.replaceAll('.', '-')}`;

/** The export of the data stack with the name of the bucket of downloads, which CloudFormation chooses. */
export const downloadsExport = (stage: string): string => `${dataStackName(stage)}-DownloadsBucket`;

/**
 * The bucket of a stage's files: at most 63 characters, in lower case ("General purpose bucket naming rules", Amazon S3 User
 * Guide).
 */
export const bucketName = (stage: string, { account, region }: { account: string; region: string }): string =>
  `platform-${stage.toLowerCase()}-${account}-${region}-files`;
