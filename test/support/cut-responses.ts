/** A server whose responses have no end, or the wrong one. It speaks TCP, because a server of HTTP would correct them. */

import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { TestContext } from 'vitest';

export type Ending = {
  /** The headers that say how long the body is, each with its line end. */
  headers: (body: Buffer) => string;
  send: (socket: Socket, body: Buffer) => void;
};

/** @property isEndless whether the reader's own time limit ends it */
type Cut = Ending & { isEndless: boolean };

/** A part is on the way before the connection breaks, because a reset throws away what was not read. */
const resetAfter = (socket: Socket, part: Buffer) =>
  socket.write(part, () => setTimeout(() => socket.resetAndDestroy(), 100));
const chunk = (part: Buffer) =>
  Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]);
const withoutEnd = (body: Buffer) => body.subarray(0, -1);

const saysNothing = () => '';
const saysLength = (body: Buffer) => `Content-Length: ${body.length}\r\n`;
const saysChunks = () => 'Transfer-Encoding: chunked\r\n';

/** The whole body is sent where only the end is missing: then a reader that looks at the body alone takes it for complete. */
export const cuts: Readonly<Record<string, Cut>> = {
  'says no length and does not end': {
    isEndless: true,
    headers: saysNothing,
    send: (socket, body) => void socket.write(body),
  },
  'says no length and is reset': {
    isEndless: false,
    headers: saysNothing,
    send: (socket, body) => void resetAfter(socket, withoutEnd(body)),
  },
  'is shorter than its length': {
    isEndless: false,
    headers: saysLength,
    send: (socket, body) => void socket.end(withoutEnd(body)),
  },
  'has a length and is reset': {
    isEndless: false,
    headers: saysLength,
    send: (socket, body) => void resetAfter(socket, withoutEnd(body)),
  },
  'has a length and does not end': {
    isEndless: true,
    headers: saysLength,
    send: (socket, body) => void socket.write(withoutEnd(body)),
  },
  'has no last chunk': {
    isEndless: false,
    headers: saysChunks,
    send: (socket, body) => void socket.end(chunk(body)),
  },
  'has no last chunk and does not end': {
    isEndless: true,
    headers: saysChunks,
    send: (socket, body) => void socket.write(chunk(body)),
  },
};

/** These are complete. */
export const whole: Readonly<Record<string, Ending>> = {
  'says no length and closes the connection': {
    headers: saysNothing,
    send: (socket, body) => void socket.end(body),
  },
  'says its length, and is reset afterwards': {
    headers: saysLength,
    send: (socket, body) => void resetAfter(socket, body),
  },
  'has its last chunk, and does not close the connection': {
    headers: saysChunks,
    send: (socket, body) => void socket.write(Buffer.concat([chunk(body), Buffer.from('0\r\n\r\n')])),
  },
};

/**
 * @param headers further headers, each with its line end
 * @returns the address of a server that responds so to every request
 */
export async function respondingWith(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  { headers: length, send }: Ending,
  body: Buffer,
  headers = '',
  status = '200 OK',
): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write(`HTTP/1.1 ${status}\r\n${headers}${length(body)}\r\n`);
      send(socket, body);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
