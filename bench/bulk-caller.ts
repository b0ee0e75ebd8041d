/**
 * A fresh process that reads all conversations with their messages, as callers do. Prints what it took as JSON.
 *
 *   node bulk-caller.ts loop|export PROJECT AT-ONCE
 */

import { Platform, type ProjectResources } from '../client/src/index.ts';
import { inBatches } from '../lib/batches.ts';

const [, , way, projectId = '', atOnce] = process.argv;

/** @returns the number of messages */
async function loop(project: ProjectResources): Promise<number> {
  let messages = 0;
  for await (const page of project.conversations.list({ limit: 100 }).pages())
    await inBatches(page.items, Number(atOnce), async ({ id }) => {
      for await (const _ of project.conversations.messages(id)) messages += 1;
    });
  return messages;
}

async function readExport(project: ProjectResources): Promise<number> {
  let messages = 0;
  for await (const line of project.exports.lines({ what: 'conversations' })) messages += line.messages.length;
  return messages;
}

const project = new Platform().projects(projectId);
const loadedBytes = process.memoryUsage.rss();
const begun = performance.now();
const messages = await (way === 'loop' ? loop(project) : readExport(project));
const seconds = (performance.now() - begun) / 1000;
const grownBytes = process.resourceUsage().maxRSS * 1024 - loadedBytes;
console.log(JSON.stringify({ messages, seconds, grownBytes }));
