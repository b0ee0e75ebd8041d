import * as z from 'zod';
import { dayMs, hourMs, parseDurationMs } from '../../base/time.ts';
import { tags } from '../../documents/schema/document.ts';
import { refreshCounts } from '../../jobs/refresh.ts';
import { maxUrlLength, unreachable } from '../../network/url-form.ts';
import { id, shownCredential, shownTime, wholeNumber } from '../../schema/common.ts';
import { failure } from '../../schema/failure.ts';
import { text } from '../../schema/text.ts';

const maxPatterns = 50;

export const sourceType = z.enum(['url', 'sitemap', 'feed', 'site']).meta({
  id: 'KnowledgeSourceType',
  description:
    'Which pages it has: the page at `url`, the pages in the sitemap or in the feed (RSS or Atom) at `url`, or the pages that are found by following ' +
    'links from `url`.',
  example: 'site',
});

/** The handler checks whether the service may reach the URL, because that depends on the environment. */
export const sourceUrl = z
  .string()
  .max(maxUrlLength, `must be at most ${maxUrlLength} characters`)
  .meta({
    format: 'uri',
    description:
      'Where it starts: an `https://` URL with a public host. It is stored and shown in its normal form: `https:Example.com` becomes ' +
      '`https://example.com/`.',
    example: 'https://docs.acme.example/',
  });

const pattern = text(500).regex(/^(\/|\*|https:\/\/|http:\/\/)/, 'must start with /, * or https://');

const patterns = z.array(pattern).max(maxPatterns, `must have at most ${maxPatterns} patterns`);

export const sourceInclude = patterns.meta({
  description:
    'Only pages with these addresses: paths of the host of `url` (`/docs/*`), or whole URLs (`https://help.acme.example/*`), ' +
    'which may have another host. `*` stands for any characters. If it is empty, all pages of the host of `url`.',
  example: ['/docs/*'],
});
export const sourceExclude = patterns.meta({
  description: 'No pages with these addresses, in the same form.',
  example: ['/docs/old/*'],
});

export const maxPages = wholeNumber(1, 5000).meta({
  description: 'The largest number of pages that a refresh requests.',
  example: 500,
});
export const maxDepth = wholeNumber(0, 10).meta({
  description: 'How many links a page may be away from `url`. For sources of type `site`.',
  example: 3,
});

const minRefreshMs = hourMs;
const maxRefreshMs = 30 * dayMs;

export const sourceRefresh = z
  .string()
  .refine((value) => {
    const ms = parseDurationMs(value);
    return value === 'manual' || (ms !== undefined && ms >= minRefreshMs && ms <= maxRefreshMs);
  }, 'must be manual, or a whole number and a unit (h, d or w) from 1h to 30d, such as 24h')
  .meta({
    description:
      'How often it is refreshed: `manual` (only by request), or a whole number of hours, days or weeks, from `1h` to `30d`.',
    pattern: '^(manual|([1-9]\\d?|[1-6]\\d{2}|7[01]\\d|720)h|([1-9]|[12]\\d|30)d|[1-4]w)$',
    example: '24h',
  });

export const sourceTags = tags.meta({ description: 'The tags of its documents.' });

export const sourceReindex = z.boolean().meta({
  description: 'Whether a refresh that has changed documents also requests a re-indexing.',
  example: true,
});

export const LastRefresh = z
  .object({
    jobId: id('job'),
    status: z.enum(['succeeded', 'failed', 'cancelled']).meta({
      id: 'RefreshStatus',
      isOpen: true,
      description: 'How a refresh has ended.',
      example: 'succeeded',
    }),
    finishedAt: shownTime().meta({ description: 'When it ended.' }),
    error: failure.nullable().meta({ description: 'Why it failed. Null unless `status` is `failed`.' }),
    ...refreshCounts,
  })
  .meta({ id: 'LastRefresh', description: 'A refresh that has ended, and what it has done.' });

export type LastRefresh = z.infer<typeof LastRefresh>;

export const SourceHealth = z
  .object({
    status: z
      .enum(['unknown', 'healthy', 'failing'])
      .meta({ id: 'SourceHealthStatus', isOpen: true, description: 'Whether its pages can be read.' })
      .meta({
        description:
          'Whether its pages can be read: the last refresh has succeeded (`healthy`), or it has failed, or no request can reach `url` ' +
          '(`failing`). `unknown` before the first refresh, and after a cancelled refresh.',
        example: 'healthy',
      }),
    reason: failure.nullable().meta({ description: 'Why it is failing. Null unless it is.' }),
  })
  .meta({ id: 'SourceHealth', description: 'Whether the pages of a source can be read.' });

export const KnowledgeSource = z
  .object({
    id: id('knowledgeSource'),
    type: sourceType,
    url: sourceUrl,
    include: sourceInclude,
    exclude: sourceExclude,
    maxPages,
    maxDepth,
    tags: sourceTags,
    refresh: sourceRefresh,
    reindex: sourceReindex,
    paused: z.boolean().meta({ description: 'Whether it is not refreshed.', example: false }),
    pausedReason: z
      .enum(['requested', 'key_revoked', 'restored'])
      .meta({ id: 'PausedReason', isOpen: true, description: 'Why a source is paused.' })
      .nullable()
      .meta({
        description:
          'Why it is not refreshed: a request has `requested` it, the key that has set it was revoked with `children=true` ' +
          '(`key_revoked`), or the source was lost and came back from a backup (`restored`). Null if it is not paused.',
        example: null,
      }),
    jobId: id('job')
      .nullable()
      .meta({ description: 'The last job that refreshes it. Null before the first.' }),
    lastRefresh: LastRefresh.nullable().meta({
      description: 'The last refresh that has ended. Null before the first.',
    }),
    health: SourceHealth.meta({ description: 'Whether its pages can be read.' }),
    nextRefreshAt: shownTime().nullable().meta({
      description: 'When it is refreshed next. Null if it is refreshed only by request.',
    }),
    createdAt: shownTime().meta({ description: 'When it was created.' }),
    updatedAt: shownTime().meta({ description: 'When it was last changed. A refresh does not count.' }),
    createdBy: shownCredential().meta({ description: 'The credential that created it.' }),
    setBy: shownCredential().meta({
      description:
        'The credential on whose behalf it is refreshed: it has set `url`, `include` or `exclude`, or has ended a pause, last.',
    }),
  })
  .meta({
    id: 'KnowledgeSource',
    description: 'Pages of a website whose content is kept as documents of a project.',
  });

export type KnowledgeSource = z.infer<typeof KnowledgeSource>;

/** @returns the source for a response */
export const showSource = <Source extends Omit<KnowledgeSource, 'health'>>(source: Source) => ({
  ...source,
  health: healthOf(source),
});

function healthOf({ url, lastRefresh }: Omit<KnowledgeSource, 'health'>): KnowledgeSource['health'] {
  const reason = unreachable(url) ?? lastRefresh?.error ?? null;
  if (reason !== null) return { status: 'failing', reason };
  return { status: lastRefresh?.status === 'succeeded' ? 'healthy' : 'unknown', reason };
}

/** @returns the time between two refreshes; undefined if it is refreshed only by request */
export const refreshEveryMs = ({ refresh }: Pick<KnowledgeSource, 'refresh'>): number | undefined =>
  refresh === 'manual' ? undefined : parseDurationMs(refresh);

export const pageStatus = z
  .enum(['pending', 'stored', 'duplicate', 'moved', 'gone', 'noindex', 'failed', 'excluded'])
  .meta({
    id: 'SourcePageStatus',
    isOpen: true,
    description: 'What the last refresh has found.',
    example: 'stored',
  });

export const SourcePage = z
  .object({
    id: z.string().meta({
      description: 'The SHA-256 of `url` in hexadecimal: the `externalId` of its document.',
      example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    }),
    url: sourceUrl.meta({ description: 'The address of the page, in one spelling.' }),
    status: pageStatus.meta({
      description:
        'What the last refresh has found: its content is a document (`stored`), another page has the same content ' +
        '(`duplicate`), it redirects or names another address as its own (`moved`), it does not exist any more (`gone`), it asks to be left ' +
        'out (`noindex`), it could not be read (`failed`), or its document was expunged (`excluded`). `pending` if it was found, ' +
        'and not requested yet.',
    }),
    documentId: id('knowledgeDocument')
      .nullable()
      .meta({
        description:
          'The document with its content. Null if there is none. After a refresh with `unconfirmed` documents, it may be the ' +
          'document with an earlier content.',
      }),
    movedTo: z.string().nullable().meta({
      description:
        'Where it redirects to, or the address that it names as its own. Null unless `status` is `moved`.',
      example: null,
    }),
    error: failure
      .nullable()
      .meta({ description: 'Why it could not be read. Null unless `status` is `failed`.' }),
    requestedAt: shownTime().nullable().meta({ description: 'When it was last requested. Null before.' }),
    changedAt: shownTime().nullable().meta({ description: 'When its content was last found changed.' }),
  })
  .meta({ id: 'SourcePage', description: 'A page of a source.' });

export type SourcePage = z.infer<typeof SourcePage>;
