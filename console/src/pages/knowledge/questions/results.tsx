/** The result of a test: the measures, and each failed question with the documents that were found. */

import { hasMissed, type Report, shownMeasure, type Tested } from '../../../../../cli/src/evaluate/ask.ts';
import { href } from '../../../router.ts';
import { countText } from '../../../shared/amounts.ts';
import { Badge } from '../../../shared/basics.tsx';
import { Id } from '../../../shared/copy.tsx';
import { Name } from '../../../shared/text.tsx';

type Props = { project: string; report: Report; isOld: boolean };

export function Results({ project, report, isOld }: Props) {
  const failed = report.questions.filter(hasMissed);
  const passed = report.questions.filter((one) => !hasMissed(one));
  return (
    <section class={isOld ? 'old' : ''} aria-busy={isOld} aria-label="Result">
      <p role="status">
        <strong>
          {passed.length} of {countText(report.questions.length, 'question')} passed
        </strong>{' '}
        <span class="quiet">
          · {report.mode === 'hybrid' ? 'by words and meaning' : 'by words only'} · index version{' '}
          <Id value={report.indexVersion} />
        </span>
      </p>
      <dl class="facts">
        <Measure
          name="recall@5"
          value={report.recallAt5}
          text="of the expected documents are in the first five"
        />
        <Measure name="nDCG@10" value={report.ndcgAt10} text="1 if the expected documents come first" />
        <Measure name="MRR" value={report.mrr} text="1 divided by the place of the first expected document" />
        {report.answerIn5 !== null && (
          <Measure
            name="answerIn5"
            value={report.answerIn5}
            text="of the questions with a passage have it in the first five pieces"
          />
        )}
        {report.answerIn10 !== null && (
          <Measure name="answerIn10" value={report.answerIn10} text="in the first ten pieces" />
        )}
      </dl>
      {report.answerIn5 === null && (
        <p class="quiet">
          The questions name only documents. Add a column <code>contains</code> with the passage that answers
          each question, to see whether a search hands it over.
        </p>
      )}
      {failed.length > 0 && (
        <>
          <h2>Failed</h2>
          <ol class="pieces" aria-label="Failed questions">
            {failed.map((question) => (
              <Question key={question.line} project={project} value={question} />
            ))}
          </ol>
        </>
      )}
      {passed.length > 0 && (
        <details>
          <summary>{countText(passed.length, 'question')} passed</summary>
          <ol class="pieces" aria-label="Passed questions">
            {passed.map((question) => (
              <Question key={question.line} project={project} value={question} />
            ))}
          </ol>
        </details>
      )}
    </section>
  );
}

const Measure = ({ name, value, text }: { name: string; value: number; text: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>
      <strong class="measure">{shownMeasure(value)}</strong> <small class="quiet">{text}</small>
    </dd>
  </div>
);

type QuestionProps = { project: string; value: Tested };

function Question({ project, value: { q, line, expected, expect, found } }: QuestionProps) {
  return (
    <li>
      <div class="row">
        <strong>
          <Name value={q} />
        </strong>
        <span class="quiet">line {line}</span>
        <span class="spring" />
        <a href={href(`/projects/${project}/knowledge/search`, { q })}>Search for it</a>
      </div>
      <p class="quiet heading">Expected</p>
      <ul class="plain">
        {expected.map(({ documentId, rank, passageRank, missing }, at) => (
          <li key={at} class="row">
            <DocumentLink
              project={project}
              id={documentId}
              name={expect[at]?.externalId ?? documentId ?? 'unknown'}
            />
            <Rank rank={rank} isMissing={missing} exists={documentId !== null} />
            <PassageRank passage={expect[at]?.contains} rank={passageRank} />
          </li>
        ))}
      </ul>
      <p class="quiet heading">Found</p>
      {found.length === 0 && <p>Nothing.</p>}
      <ol class="found">
        {found.map(({ documentId, title, score, grade }) => (
          <li key={documentId}>
            <DocumentLink project={project} id={documentId} name={title} />{' '}
            {grade !== null && <Badge value="expected" tone="good" />}{' '}
            <span class="quiet score">{score.toFixed(2)}</span>
          </li>
        ))}
      </ol>
    </li>
  );
}

function Rank({ rank, isMissing, exists }: { rank: number | null; isMissing: boolean; exists: boolean }) {
  if (rank !== null) return <Badge value={`place ${rank}`} tone={rank <= 5 ? 'good' : 'busy'} />;
  if (!exists) return <Badge value="there is no such document" tone="bad" />;
  return <Badge value={isMissing ? 'not in the index' : 'not found'} tone="bad" />;
}

function PassageRank({ passage, rank }: { passage: string | undefined; rank: number | null }) {
  if (passage === undefined) return null;
  return (
    <>
      <Badge
        value={rank === null ? 'passage not found' : `passage in piece ${rank}`}
        tone={rank === null ? 'bad' : rank <= 5 ? 'good' : 'busy'}
      />
      <span class="quiet">
        <Name value={passage} />
      </span>
    </>
  );
}

type LinkProps = { project: string; id: string | null; name: string };

const DocumentLink = ({ project, id, name }: LinkProps) =>
  id === null ? (
    <Name value={name} />
  ) : (
    <a href={href(`/projects/${project}/knowledge/${id}`)}>
      <Name value={name} />
    </a>
  );
