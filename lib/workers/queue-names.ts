/** The names of the queues. They are fixed, so that `npm run redrive` and `npm run replay` find them. */

const variable = (id: string): string => id.toUpperCase().replaceAll('-', '_');

/** The environment variable with the URL of a worker's queue. */
export const queueVariable = (workerId: string): string => `${variable(workerId)}_QUEUE`;
/** The environment variable with the URL of a dead-letter queue. */
export const deadLettersVariable = (id: string): string => `${variable(id)}_DEAD_LETTERS`;

/** SQS allows 80 characters: a stage has at most 20, a worker 31, and the dead letters 13 more. */
export const queueName = (stage: string, workerId: string): string => `PlatformApi-${stage}-${workerId}`;
/** @param id of a worker, or of the dispatcher */
export const deadLettersName = (stage: string, id: string): string => `${queueName(stage, id)}-dead-letters`;
