/** What the recording shows: a handbook that is synchronised and deployed, and yesterday's conversations. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inBatches } from '../../lib/base/batches.ts';
import { dayMs } from '../../lib/base/time.ts';
import type { DevProcess } from '../local/dev-process.ts';

export const commands = [
  'platform knowledge sync handbook --source handbook',
  "platform reindex --wait | grep -E 'status|documents'",
  'platform deploy --if-changed',
  'platform conversations export --from yesterday -o yesterday.jsonl',
] as const;

export const title = 'The command line synchronises a folder, deploys, and exports conversations';

const pages = [
  'delivery/abroad.md',
  'delivery/times.md',
  'orders/change.md',
  'orders/payment.md',
  'returns/how-to.md',
  'returns/refunds.md',
  'service/contact.md',
  'service/warranty.md',
];
const conversationCount = 120;

/** The text in place of the picture, also in README.md. */
export const description =
  'A terminal. platform knowledge sync sends the documents of a folder with a progress bar, and lists them. platform reindex ' +
  'builds the index. platform deploy shows the new deployment. platform conversations export writes the conversations of ' +
  'yesterday into a file with a progress bar, and counts them.';

/** Writes the folder `handbook`. Its documents are long enough that sending them takes a moment. */
export function writeHandbook(folder: string): void {
  for (const [index, page] of pages.entries()) {
    const file = join(folder, 'handbook', page);
    mkdirSync(dirname(file), { recursive: true });
    const sections = Array.from({ length: 120 }, (_, section) => {
      const sentence = `Question ${section + 1} about ${page.replace(/\W/g, ' ')} is answered within ${index + 2} days. `;
      return `## Question ${section + 1}\n\n${sentence.repeat(12)}\n`;
    });
    writeFileSync(file, `# ${page}\n\n${sections.join('\n')}`);
  }
}

/**
 * A project with an avatar, and with conversations of yesterday.
 * @returns the id of the project
 */
export async function seed(call: DevProcess['post'], nowMs: number): Promise<string> {
  const { id: project } = await call('/projects', { name: 'Support' });
  const avatar = { name: 'Ada', persona: { prompt: 'You are Ada, and help customers with their orders.' } };
  const { id: avatarId } = await call(`/projects/${project}/avatars`, avatar);
  const midnightMs = nowMs - (nowMs % dayMs) - dayMs;
  const startedAt = (index: number) => new Date(midnightMs + index * 300_000).toISOString();
  const said = [
    { role: 'user', text: 'Where is my order?' },
    { role: 'avatar', text: 'On its way. It arrives tomorrow.' },
    { role: 'user', text: 'Thank you.' },
  ];
  const conversation = async (index: number) => {
    const path = `/projects/${project}/conversations`;
    const { id } = await call(path, { avatarId, startedAt: startedAt(index) });
    const messages = said.map((message) => ({ ...message, at: startedAt(index) }));
    await call(`${path}/${id}/messages`, { messages });
    await call(`${path}/${id}/end`, { reason: 'completed', endedAt: startedAt(index + 1) });
  };
  await inBatches([...Array(conversationCount).keys()], 8, conversation);
  return project;
}
