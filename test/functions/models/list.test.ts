import { describe, expect } from 'vitest';
import type { Model } from '../../../lib/models/models.ts';
import { openApi } from '../../../samples/api.ts';
import { fakeModels } from '../../../samples/models.ts';
import { responds } from '../../support/responses.ts';

const prices = { inputUsdPerMillionTokens: 0.06, outputUsdPerMillionTokens: 0.24 };
const listed: Model[] = [
  { id: 'amazon.nova-lite-v1:0', ...prices, maxInputTokens: 300_000, maxOutputTokens: 5000 },
  {
    id: 'own.small',
    inputUsdPerMillionTokens: 0,
    outputUsdPerMillionTokens: 0,
    endpoint: {
      baseUrl: 'https://models.example.com/v1',
      model: 'small',
      key: { secretName: 'models/own' },
    },
  },
];

describe('models.list', () => {
  responds(200, 'with prices and limits, and nothing that says where an endpoint is', async () => {
    const api = await openApi(() => ({ models: fakeModels(undefined, listed) }));
    const { secret: key } = await api.createKey({ scopes: ['projects:read'], expiresIn: '1d' });
    const response = await api.call('GET', '/models', { key });
    expect(response.data).toEqual({
      items: [
        {
          id: 'amazon.nova-lite-v1:0',
          provider: 'bedrock',
          ...prices,
          maxInputTokens: 300_000,
          maxOutputTokens: 5000,
        },
        {
          id: 'own.small',
          provider: 'chat_completions',
          inputUsdPerMillionTokens: 0,
          outputUsdPerMillionTokens: 0,
          maxInputTokens: null,
          maxOutputTokens: null,
        },
      ],
      nextCursor: null,
    });
    return response;
  });

  responds(200, 'in pages', async () => {
    const many = Array.from({ length: 50 }, (_, index) => ({ ...prices, id: `own.${index}` }));
    const api = await openApi(() => ({ models: fakeModels(undefined, many) }));
    const ids: string[] = [];
    let response = await api.call('GET', '/models?limit=20');
    for (;;) {
      const { items, nextCursor } = response.data as { items: { id: string }[]; nextCursor: string | null };
      ids.push(...items.map(({ id }) => id));
      if (nextCursor === null) break;
      response = await api.call('GET', `/models?limit=20&cursor=${nextCursor}`);
    }
    expect(ids).toEqual(many.map(({ id }) => id));
    return response;
  });

  responds(200, 'without models', async () => {
    const api = await openApi(() => ({ models: fakeModels(undefined, []) }));
    const response = await api.call('GET', '/models');
    expect(response.data).toEqual({ items: [], nextCursor: null });
    return response;
  });
});
