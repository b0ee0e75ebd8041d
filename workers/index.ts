/** Every worker: the background work. */

import type { Worker } from '../lib/workers/worker.ts';
import conversationCounter from './conversation-counter.ts';
import conversationEraser from './conversation-eraser.ts';
import conversationSweeper from './conversation-sweeper.ts';
import knowledgeIndexer from './knowledge-indexer.ts';
import messageIndexer from './message-indexer.ts';
import projectPurger from './project-purger.ts';
import retentionRewriter from './retention-rewriter.ts';
import userEraser from './user-eraser.ts';

export const workers: readonly Worker[] = [
  knowledgeIndexer, // follows jobs
  conversationCounter, // follows conversations
  conversationEraser, // follows conversations
  conversationSweeper, // follows conversations
  messageIndexer, // follows messages
  projectPurger, // follows projects
  retentionRewriter, // follows projects
  userEraser, // follows jobs
];
