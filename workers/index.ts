/** Every worker: the background work. Written by `npm run generate`. */

import type { Worker } from '../lib/workers/worker.ts';
import auditWriter from './audit-writer.ts';
import conversationCounter from './conversation-counter.ts';
import conversationEraser from './conversation-eraser.ts';
import conversationEvaluator from './conversation-evaluator.ts';
import conversationReindexer from './conversation-reindexer.ts';
import conversationSweeper from './conversation-sweeper.ts';
import environmentRemover from './environment-remover.ts';
import evaluationRunner from './evaluation-runner.ts';
import eventWriter from './event-writer.ts';
import exportRemover from './export-remover.ts';
import exporter from './exporter.ts';
import importer from './importer.ts';
import keyLimiter from './key-limiter.ts';
import keyRevoker from './key-revoker.ts';
import knowledgeExtractor from './knowledge-extractor.ts';
import knowledgeIndexer from './knowledge-indexer.ts';
import messageIndexer from './message-indexer.ts';
import organisationResumer from './organisation-resumer.ts';
import projectPurger from './project-purger.ts';
import replyRunner from './reply-runner.ts';
import retentionRewriter from './retention-rewriter.ts';
import rolloutMover from './rollout-mover.ts';
import sourceRefresher from './source-refresher.ts';
import usageCounter from './usage-counter.ts';
import userEraser from './user-eraser.ts';
import webhookKeeper from './webhook-keeper.ts';
import webhookSender from './webhook-sender.ts';

export const workers: readonly Worker[] = [
  auditWriter,
  conversationCounter,
  conversationEraser,
  conversationEvaluator,
  conversationReindexer,
  conversationSweeper,
  environmentRemover,
  evaluationRunner,
  eventWriter,
  exportRemover,
  exporter,
  importer,
  keyLimiter,
  keyRevoker,
  knowledgeExtractor,
  knowledgeIndexer,
  messageIndexer,
  organisationResumer,
  projectPurger,
  replyRunner,
  retentionRewriter,
  rolloutMover,
  sourceRefresher,
  usageCounter,
  userEraser,
  webhookKeeper,
  webhookSender,
];
