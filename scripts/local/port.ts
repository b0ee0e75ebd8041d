/** The port of the local service. */

import { createServer } from 'node:http';
import { SetupError } from './dynamodb.ts';

/** @throws SetupError if PORT is invalid */
export function portFrom(env: NodeJS.ProcessEnv): number {
  const port = Number(env.PORT || 3000);
  if (!Number.isInteger(port) || port < 1 || port > 65535) {
    throw new SetupError(`PORT is "${env.PORT}", which is not a port. Use a number from 1 to 65535.`);
  }
  return port;
}

/**
 * @param command the command of the user, such as `npm run dev`
 * @returns the problem with the port in one sentence, or the error itself if it is about something else
 */
export function portError(error: NodeJS.ErrnoException, port: number, command: string): Error {
  if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') return error;
  const problem = error.code === 'EADDRINUSE' ? 'is in use' : 'is not allowed';
  return new SetupError(
    `Port ${port} ${problem}. Choose another one: PORT=${port === 3000 ? 3001 : 3002} ${command}.`,
  );
}

/** @throws SetupError if the port is in use */
export function mustBeFree(port: number, command: string): Promise<void> {
  return new Promise((done, reject) => {
    const server = createServer();
    server.once('error', (error) => reject(portError(error, port, command)));
    server.listen(port, '127.0.0.1', () => server.close(() => done()));
  });
}
