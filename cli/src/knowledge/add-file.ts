/** Makes a document of a file. */

import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import {
  type KnowledgeDocument,
  noteText,
  type ProjectResources,
} from '../../../clients/typescript/src/index.ts';
import {
  documentFrom,
  documentOfFile,
  fileSource,
  isSentAsText,
  maxFileBytes,
  utf8Text,
} from '../../../clients/typescript/src/node.ts';
import { usageError } from '../errors.ts';
import { readBytes } from '../input.ts';
import { megabytes, progressBar } from '../output/progress.ts';
import { safeLine } from '../output/text.ts';
import type { Session } from '../session.ts';

export type FileToAdd = {
  path: string;
  bytes: number;
  title: string | undefined;
  externalId: string | undefined;
  /** A file with a type is uploaded, so that the service decodes it. */
  mimeType: string | undefined;
  tags: string[] | undefined;
};

/**
 * @returns the size of the file in bytes
 * @throws CliError if the file cannot become a document
 */
export async function checkFile(path: string): Promise<number> {
  const { size, isFile } = await stat(path).then(
    (stats) => ({ size: stats.size, isFile: stats.isFile() }),
    (error: Error) => {
      throw usageError(`The file cannot be read: ${error.message}`);
    },
  );
  if (!isFile) throw usageError(`${path} is not a file.`, '`platform knowledge sync` sends a folder.');
  if (size === 0) throw usageError(`${path} is empty.`);
  if (size > maxFileBytes)
    throw usageError(
      `${path} has ${(size / 1024 / 1024).toFixed(1)} MB, and a file has at most 25 MB.`,
      'Split the file.',
    );
  return size;
}

/** @returns whether the document has a text, or may still get it */
export async function addFile(session: Session, file: FileToAdd, isWaiting: boolean): Promise<boolean> {
  const { out } = session;
  const document = await send(session, file);
  if (document.extraction === 'pending' && isWaiting) {
    const result = await waitForText(session, document);
    await report(session, file, result);
    return result.extraction !== 'failed';
  }
  await report(session, file, document);
  if (document.extraction === 'pending')
    out.note(`The text is being extracted. To look at it: platform documents get ${document.id}`);
  return true;
}

async function send(session: Session, file: FileToAdd): Promise<KnowledgeDocument> {
  const { path, bytes, externalId, mimeType: type, tags } = file;
  const name = basename(path);
  const { knowledge } = session.project;
  // A text in another encoding is uploaded, so that the API decodes it.
  const isText = type === undefined && isSentAsText(name, bytes);
  const text = isText ? utf8Text(await readBytes(path)) : undefined;
  if (text !== undefined) {
    const { title, content, mimeType } = documentFrom(name, text);
    return store(knowledge, externalId, { title: file.title ?? title, content, mimeType, tags });
  }
  const bar = progressBar(session.shell, `Uploading ${name}`, session.out.json, megabytes);
  try {
    const source = await fileSource(path, (readBytes) => bar.update(readBytes, bytes));
    const { title } = documentOfFile(name, source);
    const uploadId = await knowledge.uploadFile(source, { signal: session.signal });
    return await store(knowledge, externalId, { title: file.title ?? title, uploadId, mimeType: type, tags });
  } finally {
    bar.stop();
  }
}

async function store(
  { documents }: ProjectResources['knowledge'],
  externalId: string | undefined,
  body: Parameters<ProjectResources['knowledge']['documents']['create']>[0],
): Promise<KnowledgeDocument> {
  if (externalId === undefined) return documents.create(body);
  return (await documents.put(externalId, body)).document;
}

async function waitForText(session: Session, document: KnowledgeDocument): Promise<KnowledgeDocument> {
  const { out, project, shell, signal } = session;
  const bar = progressBar(shell, 'Extracting the text', out.json, () => '');
  try {
    return await project.knowledge.waitForText(document, {
      signal,
      onProgress: ({ extraction }) => bar.update(0, undefined, extraction ?? ''),
    });
  } catch (error) {
    bar.stop();
    out.note(`The file was sent. To look at it: platform documents get ${document.id}`);
    throw error;
  } finally {
    bar.stop();
  }
}

async function report({ out }: Session, { path }: FileToAdd, document: KnowledgeDocument): Promise<void> {
  if (out.json) return out.jsonLine({ file: path, ...document });
  const { id, bytes, extraction, extractionError, extractionNotes } = document;
  const state = bytes === null ? `extraction ${extraction ?? ''}` : `${Math.ceil(bytes / 1024)} KB of text`;
  await out.text(`${id}  ${safeLine(path)}  ${state}`);
  for (const note of extractionNotes) out.warn(`${path}: ${noteText(note)}.`);
  if (extractionError) out.warn(`${path}: ${extractionError.message} (${extractionError.code})`);
}
