/**
 * A fresh process that reads or stores all conversations with their messages, as callers do. Prints what it took as JSON.
 *
 *   node bulk-caller.ts loop PROJECT AT-ONCE
 *   node bulk-caller.ts export PROJECT
 *   node bulk-caller.ts import PROJECT CONVERSATIONS
 */

import { type Job, Platform, type ProjectResources } from '../clients/typescript/src/index.ts';
import { inBatches } from '../lib/base/batches.ts';
import { conversationOf, messagesEach, messagesOf } from './conversation-history.ts';

const [, , way, projectId = '', number = ''] = process.argv;

/** @returns the number of messages */
async function loop(project: ProjectResources): Promise<number> {
  let messages = 0;
  for await (const page of project.conversations.list({ limit: 100 }).pages())
    await inBatches(page.items, Number(number), async ({ id }) => {
      for await (const _ of project.conversations.messages(id)) messages += 1;
    });
  return messages;
}

async function readExport(project: ProjectResources): Promise<number> {
  let messages = 0;
  for await (const line of project.exports.lines({ what: 'conversations' })) messages += line.messages.length;
  return messages;
}

/** A migration imports conversations that it has elsewhere. */
function importAll({ conversations, jobs }: ProjectResources): Promise<number> {
  // The same in each run.
  const nowMs = new Date().setUTCHours(0, 0, 0, 0);
  function* lines() {
    for (let at = 0; at < Number(number); at += 1) {
      const begun = conversationOf(at, nowMs);
      const sent = messagesOf(at, begun);
      yield { ...begun, externalId: `conversation-${at}`, endedAt: sent.at(-1)?.at, messages: sent };
    }
  }
  return imported(jobs.waitForSuccess(conversations.importLines(lines())));
}

async function imported(job: Promise<Job>): Promise<number> {
  const { result } = await job;
  if (!result || !('errors' in result) || result.failed > 0) throw new Error(JSON.stringify(result));
  return result.created * messagesEach;
}

const ways = { loop, export: readExport, import: importAll };
const project = new Platform().projects(projectId);
const loadedBytes = process.memoryUsage.rss();
const begun = performance.now();
const messages = await ways[way as keyof typeof ways](project);
const seconds = (performance.now() - begun) / 1000;
const grownBytes = process.resourceUsage().maxRSS * 1024 - loadedBytes;
console.log(JSON.stringify({ messages, seconds, grownBytes }));
