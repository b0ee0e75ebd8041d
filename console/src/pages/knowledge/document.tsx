/** The page of a document: its fields, its content, and its actions. */

import { useState } from 'preact/hooks';
import { useCommands } from '../../palette-commands.ts';
import { useLoad } from '../../request/use-load.ts';
import { href, returnHref } from '../../router.ts';
import type { PageParams } from '../../router-path.ts';
import { can, mayChange, platform } from '../../session/session.ts';
import { sizeOf } from '../../shared/amounts.ts';
import { Badge, Facts, Head, Loading, useTitle } from '../../shared/basics.tsx';
import { Id } from '../../shared/copy.tsx';
import { Credential } from '../../shared/credential.tsx';
import { AuditLink, ResourceLink, WebLink } from '../../shared/links.tsx';
import { Problem } from '../../shared/problem.tsx';
import { Name } from '../../shared/text.tsx';
import { Time } from '../../shared/time.tsx';
import { Content } from './content.tsx';
import { DeleteDocument, IgnoreButton } from './document-actions.tsx';
import { EditDocument, type VersionedDocument } from './edit-document.tsx';
import { failureText, stateOf, useRepeat } from './extraction.ts';
import { ManagedNotice, useManagingSource } from './managing-source.tsx';
import { Notes } from './notes.tsx';

/** The pause before a document whose file is being read is requested again. */
const readingMs = 1500;

export default function DocumentPage({ params: { project = '', document = '' } }: { params: PageParams }) {
  const request = useLoad<VersionedDocument>(
    async (signal) => {
      const documents = platform().projects(project).knowledge.documents;
      const { data, response } = await documents.get(document, { signal }).withResponse();
      return { value: data, etag: response.headers.get('etag') };
    },
    [project, document],
  );
  return (
    <>
      <p class="crumbs">
        <a href={returnHref(`/projects/${project}/knowledge`)}>Knowledge</a>
      </p>
      <Problem error={request.error} onRepeat={request.reload} />
      {request.data && (
        <DocumentDetails
          project={project}
          document={request.data}
          set={request.set}
          reload={request.reload}
        />
      )}
      {request.isLoading && !request.data && <Loading />}
    </>
  );
}

type DetailsProps = {
  project: string;
  document: VersionedDocument;
  set: (document: VersionedDocument) => void;
  reload: () => void;
};

function DocumentDetails({ project, document, set, reload }: DetailsProps) {
  const { value } = document;
  useTitle(value.title.slice(0, 60));
  useRepeat(value.extraction === 'pending', document, reload, readingMs);
  const { source, isManaged } = useManagingSource(project, value);
  const [dialog, setDialog] = useState<'edit' | 'delete' | undefined>(undefined);
  const mayWrite = can('knowledge:write');
  const mayIgnore = mayChange('knowledge:write');
  const mayEdit = mayIgnore && !isManaged;
  useCommands(
    mayWrite
      ? [
          ...(mayEdit ? [{ label: 'Edit this document', run: () => setDialog('edit' as const) }] : []),
          { label: 'Delete this document', run: () => setDialog('delete') },
        ]
      : [],
  );
  const failure = value.extractionError ?? value.error;
  const metadata = Object.entries(value.metadata);
  return (
    <>
      <Head title={<Name value={value.title} />}>
        {mayWrite && (
          <>
            {mayEdit && (
              <button type="button" onClick={() => setDialog('edit')}>
                Edit
              </button>
            )}
            {mayIgnore && <IgnoreButton project={project} document={document} set={set} />}
            <button type="button" class="danger" onClick={() => setDialog('delete')}>
              Delete
            </button>
          </>
        )}
      </Head>
      {failure && (
        <div class="problem">
          <strong>
            {value.extractionError ? 'The file has no text' : 'The document could not be indexed'}
          </strong>
          <p>
            <Name value={value.extractionError ? failureText(failure) : failure.message} />{' '}
            <code>{failure.code}</code>
          </p>
        </div>
      )}
      {isManaged && <ManagedNotice project={project} source={source} />}
      <Facts
        facts={[
          [
            'State',
            <span key="state">
              <Badge {...stateOf(value)} />
              {!value.ignored && value.extraction !== 'pending' && value.status === 'pending' && (
                <>
                  {' '}
                  <a href={href(`/projects/${project}/knowledge`)}>Searches find it after a re-index</a>
                </>
              )}
            </span>,
          ],
          value.url === undefined
            ? ['Source', <Name key="source" value={value.source} />]
            : [
                'Source',
                <ResourceLink key="source" id={value.source ?? ''} project={project} name={source?.url} />,
              ],
          value.url === undefined
            ? ['Path (your id)', <Name key="external" value={value.externalId} />]
            : ['Page', <WebLink key="page" url={value.url} />],
          ['Type', value.mimeType],
          ['Size', value.bytes === null ? 'no content' : sizeOf(value.bytes)],
          ['Changed', <Time key="changed" at={value.updatedAt} />],
          ['Created', <Time key="created" at={value.createdAt} />],
          ['Created by', <Credential key="by" id={value.createdBy} />],
          [
            'Tags',
            value.tags.length === 0 ? (
              <span class="quiet">none</span>
            ) : (
              <span class="row">
                {value.tags.map((tag) => (
                  <a key={tag} class="tag" href={href(`/projects/${project}/knowledge`, { tag })}>
                    <Name value={tag} />
                  </a>
                ))}
              </span>
            ),
          ],
          ['Index version', <Id key="version" value={value.indexVersion} />],
          ['Document', <Id key="id" value={value.id} />],
          ...metadata.map(([name, text]) => [name, <Name key={name} value={text} />] as const),
        ]}
      />
      <p class="row">
        <a href={href(`/projects/${project}/knowledge/search`, { q: value.title })}>Search for its title</a>
        <a href={href(`/projects/${project}/knowledge/search`, { document: value.id })}>Search in it</a>
        {can('conversations:read') && (
          <a
            href={href(`/projects/${project}/conversations`, { q: `"${value.title.replaceAll('"', ' ')}"` })}
          >
            Messages that say its title
          </a>
        )}
        <AuditLink id={value.id} />
      </p>
      <Notes notes={value.extractionNotes} isFile={value.url === undefined} />
      {value.contentSha256 === null ? (
        value.extraction === 'pending' && (
          <p role="status">The service reads the file. Its text will be here in a moment …</p>
        )
      ) : (
        <Content key={value.contentSha256} project={project} document={value.id} />
      )}
      {dialog === 'edit' && (
        <EditDocument
          project={project}
          document={document}
          onSaved={(savedDocument) => {
            set(savedDocument);
            setDialog(undefined);
          }}
          onReload={reload}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === 'delete' && (
        <DeleteDocument
          project={project}
          document={document}
          isManaged={isManaged}
          onClose={() => setDialog(undefined)}
        />
      )}
    </>
  );
}
