/** A project with messages to search, and the index of their words. */

import { split } from '../../lib/base/batches.ts';
import type { Runtime } from '../../lib/http/runtime.ts';
import { type ApiResponse, type Json, openApi, storedOf } from '../../samples/api.ts';

export type Hit = {
  conversationId: string;
  messageId: string;
  seq: number;
  snippet: string;
  matches: { start: number; end: number }[];
};

export async function openSearch(adjust?: (runtime: Runtime) => Partial<Runtime>, settings: Json = {}) {
  const api = await openApi(adjust);
  const project = await api.createProject({ settings });
  const list = `/projects/${project}/conversations`;
  /** @returns the path of a new conversation with these messages */
  const say = async (texts: readonly string[], body: Json = {}): Promise<string> => {
    const path = await api.createConversation(body, project);
    await append(path, texts);
    return path;
  };
  const append = async (path: string, texts: readonly string[]) => {
    // A request adds at most 25 messages.
    for (const some of texts.length > 0 ? split(texts, 25) : [[]]) {
      const messages = some.map((text) => ({ role: 'user', text }));
      const { status, text } = await api.call('POST', `${path}/messages`, { body: { messages } });
      if (status !== 201) throw new Error(text);
    }
  };
  const search = (query: Record<string, string>): Promise<ApiResponse> =>
    api.call('GET', `${list}/search?${new URLSearchParams(query)}`);
  /** @returns all pages */
  const pages = async (query: Record<string, string>): Promise<Hit[][]> => {
    const found: Hit[][] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { status, text, data } = await search({ ...query, ...(cursor && { cursor }) });
      if (status !== 200) throw new Error(text);
      found.push(data.items as Hit[]);
      cursor = data.nextCursor as string | null;
    }
    return found;
  };
  /** @returns the snippets of all results */
  const snippets = async (q: string, query: Record<string, string> = {}) =>
    (await pages({ q, ...query })).flat().map(({ snippet }) => snippet);
  /** @returns the stored postings of the project */
  const postings = async () => {
    const stored = await storedOf(api, 'conversationSearch');
    return stored.filter(({ tenant }) => (tenant as string).includes(`#${project}#term#`));
  };
  return {
    ...api,
    project,
    list,
    say,
    append,
    search,
    pages,
    snippets,
    postings,
    index: () => api.indexMessages(project),
  };
}
