/** The request as it was sent to the model, by a dry run in a test conversation with the same history. */

import type {
  MessageInput,
  Reply,
  ReplyModelRequest,
  ReplyTarget,
} from '../../../../../clients/typescript/src/index.ts';
import { useLoad } from '../../../request/use-load.ts';
import { platform } from '../../../session/session.ts';
import { numberText } from '../../../shared/amounts.ts';
import { Facts, Loading } from '../../../shared/basics.tsx';
import { Dialog } from '../../../shared/dialog.tsx';
import { Problem } from '../../../shared/problem.tsx';
import { usd } from '../../../shared/score.tsx';
import { isOpen } from './exchange.ts';

type Props = {
  project: string;
  reply: Reply;
  question: string;
  /** The messages before the question. */
  history: readonly MessageInput[];
  onClose: () => void;
};

/** The service accepts so many messages at once. */
const maxMessages = 25;
const waitSeconds = 10;

/** @returns the dry run at its end */
async function dryRun({ project, reply, question, history }: Props, signal: AbortSignal): Promise<Reply> {
  const { conversations, replies } = platform().projects(project);
  const { id } = await conversations.create({ avatarId: reply.avatarId, test: true }, { signal });
  for (let from = 0; from < history.length; from += maxMessages)
    await conversations.append(id, { messages: history.slice(from, from + maxMessages) }, { signal });
  const target: ReplyTarget = reply.deploymentId ? { deploymentId: reply.deploymentId } : { draft: true };
  let run = await replies.create(id, { input: { text: question }, target, dryRun: true }, { signal });
  while (isOpen(run)) run = await replies.get(id, run.id, { waitSeconds }, { signal });
  return run;
}

export function RequestDialog(props: Props) {
  const { reply, onClose } = props;
  const { data, error, reload } = useLoad((signal) => dryRun(props, signal), [reply.id]);
  return (
    <Dialog title="The request as sent" isWide onClose={onClose}>
      <Problem error={error} onRepeat={reload} />
      {!data && error === undefined && <Loading what="Putting the request together" />}
      {data?.failure && (
        <p class="problem" role="alert">
          {data.failure.message}
        </p>
      )}
      {data?.request && (
        <>
          {isNewer(reply, data) && (
            <p class="notice">
              The draft or its knowledge has changed since the answer. This is the request as it is now.
            </p>
          )}
          <ModelRequestView request={data.request} />
        </>
      )}
      <p class="row end">
        <button type="button" onClick={onClose}>
          Close
        </button>
      </p>
    </Dialog>
  );
}

const isNewer = (before: Reply, now: Reply): boolean =>
  (before.avatarVersion !== null && before.avatarVersion !== now.avatarVersion) ||
  (before.indexVersion !== null && before.indexVersion !== now.indexVersion);

const roles = { user: 'User', assistant: 'Avatar' } as const;

function ModelRequestView({ request }: { request: ReplyModelRequest }) {
  const { modelId, system, messages, maxTokens, temperature, highestCostUsd } = request;
  return (
    <>
      <Facts
        facts={[
          ['Model', modelId],
          ['Highest cost', usd(highestCostUsd)],
          ['Most tokens of the answer', numberText(maxTokens)],
          ['Temperature', temperature ?? 'the default of the model'],
        ]}
      />
      <h3>System</h3>
      {system.map((text, at) => (
        <Block key={at} text={text} />
      ))}
      {messages.map(({ role, content }, at) => (
        <section key={at}>
          <h3>
            {at + 1}. {roles[role]}
          </h3>
          {content.map((text, block) => (
            <Block key={block} text={text} />
          ))}
        </section>
      ))}
    </>
  );
}

const Block = ({ text }: { text: string }) => (
  <pre class="json" tabIndex={0}>
    <bdi>{text}</bdi>
  </pre>
);
