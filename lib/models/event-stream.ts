/** Messages in Amazon's event stream format ("Event stream encoding", Amazon Transcribe Developer Guide). */

import { EventStreamCodec } from '@smithy/core/event-streams';
import { BrokenStream } from './deliver.ts';

/** Bedrock's events have some hundred bytes. */
const maxMessageBytes = 256 * 1024;
const prefixBytes = 4;

export type StreamMessage = {
  /** `event`, `exception` or `error`. */
  messageType: string;
  /** The name of the event, or of the exception. */
  name: string;
  body: string;
};

const codec = new EventStreamCodec(
  (bytes) => (typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('utf8')),
  (text) => Buffer.from(text, 'utf8'),
);

/** @throws BrokenStream if it is cut, too long, or no such stream */
export async function* streamMessages(body: AsyncIterable<Uint8Array>): AsyncGenerator<StreamMessage> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of body) {
    rest = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk]);
    while (rest.length >= prefixBytes) {
      const length = rest.readUInt32BE(0);
      if (length > maxMessageBytes) throw new BrokenStream('a message of the stream is too long');
      if (rest.length < length) break;
      yield decode(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  }
  if (rest.length > 0) throw new BrokenStream('the stream was cut');
}

function decode(bytes: Uint8Array): StreamMessage {
  try {
    const { headers, body } = codec.decode(bytes);
    const textOf = (name: string) => {
      const value = headers[name]?.value;
      return typeof value === 'string' ? value : '';
    };
    return {
      messageType: textOf(':message-type'),
      name: textOf(':event-type') || textOf(':exception-type') || textOf(':error-code'),
      body: Buffer.from(body).toString('utf8'),
    };
  } catch {
    throw new BrokenStream('the stream has a message that nobody can read');
  }
}

/** @returns a message in this format, for stand-ins */
export const encodeMessage = ({ messageType, name, body }: StreamMessage): Uint8Array => {
  const header = (value: string) => ({ type: 'string', value }) as const;
  return codec.encode({
    headers: {
      ':message-type': header(messageType),
      [messageType === 'event' ? ':event-type' : ':exception-type']: header(name),
      ':content-type': header('application/json'),
    },
    body: Buffer.from(body, 'utf8'),
  });
};
