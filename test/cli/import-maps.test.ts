/** The maps that come with the command line: calls in the forms of other platforms become conversations that the service accepts. */

import { describe, expect, test } from 'vitest';
import { openConverter } from '../../cli/src/import/convert/convert.ts';
import { readMap, shippedMaps } from '../../cli/src/import/maps.ts';
import type { Json } from '../../samples/api.ts';
import { elevenLabsConversation, retellCall, vapiCall } from '../support/call-exports.ts';

/** @returns the conversations, with the avatars that the map names */
async function mapped(map: string, ...records: Json[]) {
  const program = await readMap(map);
  const convert = await openConverter({ program, scores: {}, outputs: {}, shorten: false, hasAvatar: false });
  const converted = await convert(records.map((record) => JSON.stringify(record)));
  return converted.map(({ conversations, problems }) => ({
    problems,
    conversations: conversations.map(({ text, avatar }) => ({ avatar, ...(JSON.parse(text) as Json) })),
  }));
}

async function only(map: string, record: Json): Promise<Json> {
  const [result] = await mapped(map, record);
  expect(result?.problems).toEqual([]);
  expect(result?.conversations).toHaveLength(1);
  return result?.conversations[0] ?? {};
}

const at = (seconds: string) => `2026-03-01T09:30:${seconds}Z`;

test('each map says what it was made after, and when', async () => {
  expect(shippedMaps()).toEqual(['elevenlabs', 'retell', 'vapi']);
  for (const map of shippedMaps())
    expect(await readMap(map)).toMatch(
      /^# Made after https:\/\/\S+[\s\S]*? as of\n?(?:# )?\s*20\d\d-\d\d-\d\d\.$/m,
    );
});

describe('elevenlabs', () => {
  test('turns with tools, an interruption and the seconds of the call', async () => {
    expect(await only('elevenlabs', elevenLabsConversation(1))).toEqual({
      avatar: 'agent_7101k5zvyjhmfg983brhmhkd98n6',
      externalId: 'conv_1',
      externalUserId: 'customer-1',
      channel: 'web',
      startedAt: at('00.000'),
      endedAt: at('14.000'),
      endReason: 'completed',
      metadata: {
        summary: 'The user asks for an order that does not exist.',
        callSuccessful: 'failure',
        terminationReason: 'Client disconnected: the microphone was turned off',
        cost: '96',
        durationSeconds: '14',
        language: 'en',
        'data.order': '4711',
        'variable.plan': 'gold',
      },
      messages: [
        { role: 'avatar', text: 'Hello, how can I help?', at: at('00.000') },
        { role: 'user', text: 'Where is my order? 📦', at: at('02.000'), metadata: { medium: 'audio' } },
        {
          role: 'tool',
          text: 'look_up_order({"order":"4711"})',
          at: at('05.000'),
          metadata: { toolCallId: 'tool-1', tool: 'look_up_order' },
        },
        {
          role: 'tool',
          text: 'no such order',
          at: at('07.000'),
          metadata: { toolCallId: 'tool-1', tool: 'look_up_order', isError: 'true' },
        },
        {
          role: 'avatar',
          text: 'I cannot find...',
          at: at('08.000'),
          metadata: { interrupted: 'true', originalMessage: 'I cannot find it. Do you have another number?' },
        },
      ],
    });
  });

  test('a webhook is the same, and a phone call has the number of the caller', async () => {
    const conversation = elevenLabsConversation(2, { user_id: null });
    const metadata = {
      ...(conversation.metadata as Json),
      termination_reason: 'end_call tool was called.',
      phone_call: { type: 'twilio', direction: 'inbound', external_number: '+15550100' },
    };
    const webhook = {
      type: 'post_call_transcription',
      event_timestamp: 1,
      data: { ...conversation, metadata },
    };
    expect(await only('elevenlabs', webhook)).toMatchObject({
      externalId: 'conv_2',
      externalUserId: '+15550100',
      channel: 'phone',
      endReason: 'end_call tool was called.',
      metadata: { direction: 'inbound' },
    });
  });

  test.each(['initiated', 'in-progress', 'processing'])('%s is skipped', async (status) => {
    const [result] = await mapped('elevenlabs', elevenLabsConversation(3, { status }));
    expect(result).toEqual({ problems: [], conversations: [] });
  });

  test('a failed conversation without turns is kept, with the reason error', async () => {
    const metadata = { start_time_unix_secs: 1_772_357_400, call_duration_secs: 0 };
    const failed = elevenLabsConversation(4, { status: 'failed', transcript: [], metadata, analysis: null });
    expect(await only('elevenlabs', failed)).toMatchObject({ endReason: 'error', messages: [] });
  });
});

describe('vapi', () => {
  test('milliseconds, seconds from the start, and the calls of tools', async () => {
    expect(await only('vapi', vapiCall(1))).toEqual({
      avatar: '5a6b0000-0000-4000-8000-000000000000',
      externalId: '3f1c9a52-0000-4000-8000-000000000001',
      externalUserId: '+15550100',
      channel: 'phone',
      startedAt: at('00.250'),
      endedAt: at('40.750'),
      endReason: 'customer-ended-call',
      metadata: {
        summary: 'The user asks for opening hours.',
        successEvaluation: 'true',
        endedReason: 'customer-ended-call',
        cost: '0.0713',
        direction: 'inbound',
        'cost.transport': '0.01',
        'cost.stt': '0.02',
        'cost.llm': '0.0113',
        'cost.tts': '0.02',
        'cost.vapi': '0.01',
        'cost.total': '0.0713',
        'output.intent': 'hours',
        'variable.plan': 'gold',
      },
      messages: [
        { role: 'avatar', text: 'Hello!', at: at('01.250') },
        { role: 'user', text: 'When do you open?', at: at('03.123') },
        {
          role: 'tool',
          text: 'get_hours({"day":"Monday"})',
          at: at('05.250'),
          metadata: { toolCallId: 'call_1', tool: 'get_hours' },
        },
        {
          role: 'tool',
          text: 'get_holidays({})',
          at: at('05.250'),
          metadata: { toolCallId: 'call_2', tool: 'get_holidays' },
        },
        {
          role: 'tool',
          text: '{"opens":9}',
          at: at('06.750'),
          metadata: { toolCallId: 'call_1', tool: 'get_hours' },
        },
        { role: 'avatar', text: 'At nine.', at: at('08.250') },
        { role: 'system', text: 'The silence timeout began.', at: at('20.250') },
      ],
    });
  });

  test('the report at the end of a call is the same', async () => {
    const { artifact, analysis, endedReason, endedAt, startedAt, cost, customer, ...call } = vapiCall(2);
    const report = {
      message: {
        type: 'end-of-call-report',
        timestamp: 1772357500000,
        ...{ artifact, analysis, endedReason, endedAt, startedAt, cost, customer },
        call: { ...call, status: 'in-progress' },
      },
    };
    expect(await only('vapi', report)).toEqual(await only('vapi', vapiCall(2)));
  });

  test('a long reason of an error is in the metadata, and a call that nobody has begun has its creation as start', async () => {
    const endedReason = 'call.in-progress.error-providerfault-transcriber-failed';
    const call = vapiCall(3, { endedReason, startedAt: null, endedAt: null, artifact: {}, type: 'webCall' });
    expect(await only('vapi', call)).toMatchObject({
      channel: 'web',
      startedAt: '2026-03-01T09:29:58.900Z',
      endedAt: '2026-03-01T09:29:58.900Z',
      endReason: 'error',
      metadata: { endedReason },
      messages: [],
    });
  });

  test('a call that has not ended is skipped', async () => {
    const call = vapiCall(4, { status: 'queued', endedAt: null, endedReason: null });
    expect(await mapped('vapi', call)).toEqual([{ problems: [], conversations: [] }]);
  });
});

describe('retell', () => {
  test('milliseconds, the seconds of words, tools, digits and other people', async () => {
    expect(await only('retell', retellCall(1))).toEqual({
      avatar: 'oBeDLoLOeuAbiuaMFXRtDOLriTJ5tSxD',
      externalId: 'call_1',
      externalUserId: '+15550100',
      channel: 'phone',
      startedAt: at('00.333'),
      endedAt: at('30.333'),
      endReason: 'user_hangup',
      metadata: {
        summary: 'The user asks whether it is open.',
        callSuccessful: 'true',
        userSentiment: 'Positive',
        inVoicemail: 'false',
        cost: '0.7',
        direction: 'inbound',
        agentVersion: '3',
        'analysis.topic': 'hours',
        'analysis.urgent': 'false',
        'variable.plan': 'gold',
        'metadata.ticket': 'T-1',
      },
      messages: [
        { role: 'avatar', text: 'Hello!', at: at('01.033') },
        { role: 'user', text: 'Is it open?', at: at('02.583') },
        {
          role: 'tool',
          text: 'get_hours({"day":"Monday"})',
          at: at('02.583'),
          metadata: { toolCallId: 'tool-1', tool: 'get_hours' },
        },
        {
          role: 'tool',
          text: 'closed',
          at: at('04.333'),
          metadata: { toolCallId: 'tool-1', isError: 'true' },
        },
        { role: 'user', text: '5', at: at('04.333'), metadata: { source: 'dtmf' } },
        { role: 'user', text: 'Thanks', at: at('09.833'), metadata: { source: 'sms' } },
        { role: 'user', text: 'This is Bob.', at: at('12.333'), metadata: { source: 'transfer_target' } },
      ],
    });
  });

  test('a webhook is the same, and an outgoing call has the number that was called', async () => {
    const call = retellCall(2, { direction: 'outbound' });
    expect(await only('retell', { event: 'call_analyzed', call })).toMatchObject({
      externalUserId: '+15550199',
    });
  });

  test('a call without its tools has its transcript, and a web call has no number', async () => {
    const {
      transcript_with_tool_calls: _,
      from_number: __,
      to_number: ___,
      direction: ____,
      ...call
    } = retellCall(3);
    const transcript = [{ role: 'agent', content: 'Hello!', words: [] }];
    expect(
      await only('retell', { ...call, call_type: 'web_call', transcript_object: transcript }),
    ).toMatchObject({
      channel: 'web',
      externalUserId: null,
      messages: [{ role: 'avatar', text: 'Hello!', at: at('00.333') }],
    });
  });

  test.each([{ call_status: 'registered' }, { call_status: 'ongoing' }, { start_timestamp: null }])(
    '%j is skipped',
    async (more) => {
      expect(await mapped('retell', retellCall(4, more))).toEqual([{ problems: [], conversations: [] }]);
    },
  );
});

test.each([
  ['elevenlabs', elevenLabsConversation(1)],
  ['vapi', vapiCall(1)],
  ['retell', retellCall(1)],
])('%s gives the same conversation for the same call', async (map, record) => {
  const [first, second] = await mapped(map, record, record);
  expect(first).toEqual(second);
});

test.each(['elevenlabs', 'vapi', 'retell'])('%s reports records of another form', async (map) => {
  const others = [
    {},
    { status: 'done' },
    { status: 'ended' },
    { call_status: 'ended', start_timestamp: 'x' },
  ];
  const results = await mapped(map, ...others);
  for (const { conversations } of results) expect(conversations).toEqual([]);
});
