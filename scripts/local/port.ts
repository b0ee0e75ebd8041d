/** The port that the service is to have on this machine. */

import { createServer } from 'node:http';
import { SetupError } from './dynamodb.ts';

/** @throws SetupError when PORT is not a port */
export function portFrom(env: NodeJS.ProcessEnv): number {
  const port = Number(env.PORT || 3000);
  if (!Number.isInteger(port) || port < 1 || port > 65535) {
    throw new SetupError(`PORT is "${env.PORT}", which is not a port. Use a number from 1 to 65535.`);
  }
  return port;
}

/**
 * @param command what the person typed, such as `npm run dev`
 * @returns what is wrong with the port, in one sentence; the error itself when it is about something else
 */
export function portError(error: NodeJS.ErrnoException, port: number, command: string): Error {
  if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') return error;
  const problem = error.code === 'EADDRINUSE' ? 'is in use' : 'is not allowed';
  return new SetupError(`Port ${port} ${problem}. Choose another one: PORT=3001 ${command}.`);
}

/** @throws SetupError when something listens on the port already */
export function mustBeFree(port: number, command: string): Promise<void> {
  return new Promise((done, reject) => {
    const server = createServer();
    server.once('error', (error) => reject(portError(error, port, command)));
    server.listen(port, '127.0.0.1', () => server.close(() => done()));
  });
}
