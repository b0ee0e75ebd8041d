/** A project with evaluators. */

import { type CallOptions, type Json, openApi } from '../../samples/api.ts';
import { ratingBody, ruleBody } from '../../samples/samples.ts';

export { ratingBody, ruleBody };

export async function openEvaluators() {
  const api = await openApi();
  const project = `/projects/${await api.createProject()}`;
  const send = (method: string, path: string, body?: unknown, options: CallOptions = {}) =>
    api.call(method, `${project}${path}`, { ...(body !== undefined && { body }), ...options });
  const say = (path: string, count = 1) =>
    send('POST', `${path}/messages`, {
      messages: Array.from({ length: count }, (_, n) => ({ role: 'user', text: `Message ${n}` })),
    });
  return {
    ...api,
    api,
    project,
    send,
    say,
    /** @returns the evaluator */
    async create(body: Json = ruleBody, options: CallOptions = {}): Promise<Json> {
      const { status, text, data } = await send('POST', '/evaluators', body, options);
      if (status !== 201) throw new Error(text);
      return data;
    },
    /** @returns the path of a new conversation with messages of the user */
    async converse(body: Json = {}, messages = 2): Promise<string> {
      const path = (await api.createConversation(body, project.split('/')[2])).replace(project, '');
      if (messages > 0) await say(path, messages);
      return path;
    },
  };
}
