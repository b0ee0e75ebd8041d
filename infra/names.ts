/** The names of a stage's stacks. The names of its tables and functions start with them. */

export const stackName = (stage: string): string => `PlatformApi-${stage}`;

/** The stack with the tables. */
export const dataStackName = (stage: string): string => `${stackName(stage)}-data`;

/** `PlatformApi-dev-projects-get` for `projects.get`. @param id of an endpoint or worker */
export const functionName = (stage: string, id: string): string =>
  `${stackName(stage)}-${id.replaceAll('.', '-')}`;
