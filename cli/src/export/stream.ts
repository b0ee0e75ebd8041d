/** Exports conversations to stdout. */

import type { Output } from '../output/output.ts';
import type { Progress } from './progress-file.ts';
import { count, type ExportSettings, transcripts } from './transcripts.ts';

/** @returns the counts */
export async function streamTo(out: Output, progress: Progress, settings: ExportSettings): Promise<Progress> {
  const { format } = settings;
  await out.data(format.head);
  for await (const transcript of transcripts(progress, settings)) {
    if (transcript.messages) await out.data(format.record({ ...transcript, messages: transcript.messages }));
    count(progress, transcript);
  }
  return progress;
}
