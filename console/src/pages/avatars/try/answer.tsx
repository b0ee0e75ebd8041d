/** A question with its answer: the text, the documents, what it cost, and what to do if there is none. */

import type { Reply, ReplyPassage } from '../../../../../clients/typescript/src/index.ts';
import { href } from '../../../router.ts';
import { can } from '../../../session/session.ts';
import { countText } from '../../../shared/amounts.ts';
import { Badge, Facts } from '../../../shared/basics.tsx';
import { Problem } from '../../../shared/problem.tsx';
import { LongText, Name } from '../../../shared/text.tsx';
import { Citations } from '../../conversations/citations.tsx';
import { codeOf, type Exchange, factsOf, isBusy, isOpen, notesOf } from './exchange.ts';

type Props = {
  project: string;
  avatar: string;
  exchange: Exchange;
  /** Sends the failed request again. */
  onRepeat: () => void;
};

export function ExchangeView({ project, avatar, exchange, onRepeat }: Props) {
  const { question, reply, text, error } = exchange;
  return (
    <>
      <div class="message">
        <div class="message-head">
          <strong>You</strong>
        </div>
        <LongText value={question} />
      </div>
      <div class="message avatar">
        <div class="message-head">
          <strong>Avatar</strong>
          {reply && <Badge value={reply.status} />}
        </div>
        {text !== '' && <LongText value={text} />}
        {text === '' && isBusy(exchange) && <span class="quiet">Waiting for the first text …</span>}
        {reply && <Ended project={project} reply={reply} />}
        {lackOf(exchange) ? (
          <NoModel project={project} avatar={avatar} exchange={exchange} onRepeat={onRepeat} />
        ) : (
          <Problem error={error} onRepeat={onRepeat} />
        )}
      </div>
    </>
  );
}

/** What is known of a reply at its end. */
function Ended({ project, reply }: { project: string; reply: Reply }) {
  if (isOpen(reply)) return null;
  const { failure, citations, passages } = reply;
  return (
    <>
      {failure && (
        <p class="bad">
          {failure.message} <code>{failure.code}</code>
        </p>
      )}
      {notesOf(reply).map((note) => (
        <p key={note} class="quiet">
          {note}
        </p>
      ))}
      {citations.length > 0 && <Citations project={project} citations={citations} />}
      {reply.status === 'done' && <Passages project={project} passages={passages} />}
      <Facts facts={factsOf(reply)} />
    </>
  );
}

function Passages({ project, passages }: { project: string; passages: readonly ReplyPassage[] }) {
  if (passages.length === 0) return <p class="quiet">The model got no passages.</p>;
  const used = passages.filter(({ cited }) => cited);
  const unused = passages.filter(({ cited }) => !cited);
  return (
    <details>
      <summary>
        {countText(passages.length, 'passage')}: {used.length} used, {unused.length} not used
      </summary>
      <PassageList label="Used" project={project} passages={used} />
      <PassageList label="Not used" project={project} passages={unused} />
    </details>
  );
}

type ListProps = { label: string; project: string; passages: readonly ReplyPassage[] };

const PassageList = ({ label, project, passages }: ListProps) =>
  passages.length === 0 ? null : (
    <>
      <p class="quiet">{label}</p>
      <ul class="plain" aria-label={`${label} passages`}>
        {passages.map(({ number, documentId, title, page, score }) => (
          <li key={number}>
            <span class="quiet">{number}.</span>{' '}
            {can('knowledge:read') ? (
              <a href={href(`/projects/${project}/knowledge/${documentId}`, { textPage: page })}>
                <Name value={title} />
              </a>
            ) : (
              <Name value={title} />
            )}
            <span class="quiet">
              {page !== null && ` page ${page}`} {score.toFixed(2)}
            </span>
          </li>
        ))}
      </ul>
    </>
  );

const lacks: Readonly<Record<string, string>> = {
  no_model: 'The avatar has no model',
  model_not_listed: 'The service does not list the model of the avatar',
};

const lackOf = (exchange: Exchange): string | undefined => lacks[codeOf(exchange) ?? ''];

/** What to do if the avatar has no model that can answer. */
function NoModel({ project, avatar, exchange, onRepeat }: Props) {
  const isDraft = exchange.body.target?.draft === true;
  return (
    <div class="problem" role="alert">
      <strong>{lackOf(exchange)}</strong>
      <p>
        <a href={href(`/projects/${project}/avatars/${avatar}`, { field: 'model' })}>Choose a model</a> and
        save the avatar.{!isDraft && ' Then deploy the project.'}
      </p>
      {exchange.error !== undefined && (
        <button type="button" onClick={onRepeat}>
          Repeat
        </button>
      )}
    </div>
  );
}
