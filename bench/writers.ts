/** Forty writers of one conversation. Each sends its next message after the previous response. */

import { call } from '../scripts/local/call.ts';
import { routesOf } from '../scripts/local/service.ts';
import { budgets, type Findings } from './budgets.ts';
import type { Bench } from './service.ts';
import { median, ms, percentile, progress, table } from './statistics.ts';

const writers = 40;
const messagesEach = 5;
const avatar = { name: 'Ada', persona: { prompt: 'You are Ada.', language: 'en-GB' } };

export async function manyWriters(bench: Bench): Promise<Findings> {
  const alone = await forEachNotice(bench);
  const tookMs = await race(bench);
  const ratio = percentile(tookMs, 0.99) / (alone * writers);
  const row = [`${tookMs.length} × 201, no gap`, ms(median(tookMs)), ms(percentile(tookMs, 0.99))];
  const note =
    `99 of 100 take at most ${ratio.toFixed(1)} times as long as forty sequential requests ` +
    `(budget: at most ${budgets.writersRatio}).`;
  return {
    text: `${table(['forty writers of one conversation', 'median', '99 of 100'], [row])}\n\n${note}`,
    budgeted: [
      { budget: 'writersRatio', what: 'forty writers, over forty requests one by one', value: ratio },
    ],
  };
}

async function newConversation({ send }: Bench): Promise<string> {
  const { data: project } = await send('POST', '/projects', { body: { name: 'writers' } });
  const { data: made } = await send('POST', `/projects/${project.id}/avatars`, { body: avatar });
  const path = `/projects/${project.id}/conversations`;
  const { data } = await send('POST', path, { body: { avatarId: made.id } });
  return `${path}/${data.id}`;
}

const messageOf = (text: string) => ({
  body: { messages: [{ role: 'user', text }] },
  idempotencyKey: text,
});

/** @returns the milliseconds of a request without competition */
async function forEachNotice(bench: Bench): Promise<number> {
  const path = await newConversation(bench);
  const tookMs: number[] = [];
  for (let n = 0; n < 2 * writers; n += 1) {
    const begunMs = performance.now();
    await bench.send('POST', `${path}/messages`, messageOf(`alone/${n}`));
    tookMs.push(performance.now() - begunMs);
  }
  return median(tookMs);
}

/** @returns the milliseconds of each request. The writers share only the table */
async function race(bench: Bench): Promise<number[]> {
  progress('races: forty writers');
  const path = await newConversation(bench);
  const tookMs: number[] = [];
  const seqs: unknown[] = [];
  const write = async (writer: number) => {
    const own = routesOf(bench.runtime);
    for (let n = 0; n < messagesEach; n += 1) {
      const options = { ...messageOf(`together/${writer}/${n}`), key: bench.key };
      const begunMs = performance.now();
      const response = await call(own, 'POST', `${path}/messages`, options);
      tookMs.push(performance.now() - begunMs);
      if (response.status !== 201) throw new Error(`forty writers: ${response.text}`);
      seqs.push((response.data.messages as { seq: number }[])[0]?.seq);
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  const isGapless = new Set(seqs).size === seqs.length && Math.max(...(seqs as number[])) === seqs.length;
  if (!isGapless) throw new Error('forty writers: seq has a gap');
  return tookMs;
}
