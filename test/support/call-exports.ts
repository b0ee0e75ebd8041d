/** Calls in the forms of other platforms, made after their public references. The heads of cli/maps/*.jq name them. */

import type { Json } from '../../samples/api.ts';

const startSeconds = Date.UTC(2026, 2, 1, 9, 30) / 1000;

/** A conversation of ElevenLabs: a call of a tool, an interruption, a turn without a text. */
export const elevenLabsConversation = (number: number, more: Json = {}): Json => ({
  agent_id: 'agent_7101k5zvyjhmfg983brhmhkd98n6',
  conversation_id: `conv_${number}`,
  status: 'done',
  user_id: `customer-${number}`,
  transcript: [
    {
      role: 'agent',
      message: 'Hello, how can I help?',
      tool_calls: [],
      tool_results: [],
      time_in_call_secs: 0,
    },
    { role: 'user', message: 'Where is my order? 📦', time_in_call_secs: 2, source_medium: 'audio' },
    {
      role: 'agent',
      message: null,
      tool_calls: [
        {
          type: 'webhook',
          request_id: 'tool-1',
          tool_name: 'look_up_order',
          params_as_json: '{"order":"4711"}',
          tool_has_been_called: true,
        },
      ],
      time_in_call_secs: 5,
    },
    {
      role: 'agent',
      message: null,
      tool_results: [
        {
          type: 'webhook',
          request_id: 'tool-1',
          tool_name: 'look_up_order',
          result_value: 'no such order',
          is_error: true,
          tool_has_been_called: true,
        },
      ],
      time_in_call_secs: 7,
    },
    {
      role: 'agent',
      message: 'I cannot find...',
      original_message: 'I cannot find it. Do you have another number?',
      interrupted: true,
      time_in_call_secs: 8,
    },
    { role: 'user', message: ' ', time_in_call_secs: 12 },
  ],
  metadata: {
    start_time_unix_secs: startSeconds,
    accepted_time_unix_secs: startSeconds - 1,
    call_duration_secs: 14,
    cost: 96,
    termination_reason: 'Client disconnected: the microphone was turned off',
    main_language: 'en',
    text_only: false,
    phone_call: null,
  },
  analysis: {
    evaluation_criteria_results: {},
    data_collection_results: {
      order: { data_collection_id: 'order', value: 4711, rationale: 'The user says it.' },
      name: { data_collection_id: 'name', value: null, rationale: 'Nobody says it.' },
    },
    call_successful: 'failure',
    transcript_summary: 'The user asks for an order that does not exist.',
  },
  conversation_initiation_client_data: {
    dynamic_variables: { plan: 'gold', system__caller_id: '+15550100', secret__token: 'hidden' },
  },
  has_audio: true,
  ...more,
});

/** A call of Vapi: the prompt, a call of a tool whose result is an object, a message without a text. */
export const vapiCall = (number: number, more: Json = {}): Json => ({
  id: `3f1c9a52-0000-4000-8000-${String(number).padStart(12, '0')}`,
  orgId: '9d2f0000-0000-4000-8000-000000000000',
  assistantId: '5a6b0000-0000-4000-8000-000000000000',
  type: 'inboundPhoneCall',
  status: 'ended',
  createdAt: '2026-03-01T09:29:58.900Z',
  updatedAt: '2026-03-01T09:31:10.000Z',
  startedAt: '2026-03-01T09:30:00.250Z',
  endedAt: '2026-03-01T09:30:40.750Z',
  endedReason: 'customer-ended-call',
  customer: { number: '+15550100' },
  cost: 0.0713,
  costBreakdown: {
    transport: 0.01,
    stt: 0.02,
    llm: 0.0113,
    tts: 0.02,
    vapi: 0.01,
    total: 0.0713,
    analysisCostBreakdown: {},
  },
  analysis: { summary: 'The user asks for opening hours.', successEvaluation: 'true' },
  assistantOverrides: { variableValues: { plan: 'gold' } },
  artifact: {
    structuredOutputs: { '7c0d': { name: 'intent', result: 'hours' } },
    messages: [
      { role: 'system', message: 'You are Clara.', time: 1772357400250, secondsFromStart: 0 },
      {
        role: 'bot',
        message: 'Hello!',
        time: 1772357401250,
        endTime: 1772357402000,
        secondsFromStart: 1,
        duration: 750,
      },
      {
        role: 'user',
        message: 'When do you open?',
        time: 1772357403123,
        endTime: 1772357404000,
        secondsFromStart: 2.873,
      },
      {
        role: 'tool_calls',
        message: '',
        toolCalls: [
          { id: 'call_1', type: 'function', function: { name: 'get_hours', arguments: '{"day":"Monday"}' } },
          { id: 'call_2', type: 'function', function: { name: 'get_holidays', arguments: {} } },
        ],
        time: 1772357405250,
        secondsFromStart: 5,
      },
      {
        role: 'tool_call_result',
        toolCallId: 'call_1',
        name: 'get_hours',
        result: { opens: 9 },
        secondsFromStart: 6.5,
      },
      { role: 'bot', message: 'At nine.', secondsFromStart: 8 },
      { role: 'user', message: '', time: 1772357410000, secondsFromStart: 9.75 },
      { role: 'system', message: 'The silence timeout began.', secondsFromStart: 20 },
    ],
  },
  ...more,
});

/** A call of Retell: words with their times, a call of a tool, a digit, a step of the flow. */
export const retellCall = (number: number, more: Json = {}): Json => ({
  call_id: `call_${number}`,
  agent_id: 'oBeDLoLOeuAbiuaMFXRtDOLriTJ5tSxD',
  agent_version: 3,
  call_type: 'phone_call',
  call_status: 'ended',
  direction: 'inbound',
  from_number: '+15550100',
  to_number: '+15550199',
  start_timestamp: startSeconds * 1000 + 333,
  end_timestamp: startSeconds * 1000 + 30_333,
  duration_ms: 30_000,
  disconnection_reason: 'user_hangup',
  transcript: 'Agent: Hello!\nUser: Is it open?\n',
  transcript_with_tool_calls: [
    { role: 'agent', content: 'Hello!', words: [{ word: 'Hello!', start: 0.7, end: 1.3 }] },
    { role: 'user', content: 'Is it open?', words: [{ word: 'Is', start: 2.25, end: 2.5 }] },
    {
      role: 'node_transition',
      former_node_id: 'a',
      former_node_name: 'Start',
      new_node_id: 'b',
      new_node_name: 'Hours',
    },
    {
      role: 'tool_call_invocation',
      tool_call_id: 'tool-1',
      name: 'get_hours',
      arguments: '{"day":"Monday"}',
    },
    { role: 'tool_call_result', tool_call_id: 'tool-1', content: 'closed', successful: false, time_sec: 4 },
    { role: 'agent', content: '', words: [] },
    { role: 'dtmf', digit: '5' },
    { role: 'sms', content: 'Thanks', time_sec: 9.5 },
    { role: 'transfer_target', content: 'This is Bob.', words: [{ word: 'This', start: 12, end: 12.1 }] },
  ],
  call_cost: {
    combined_cost: 70,
    product_costs: [],
    total_duration_seconds: 30,
    total_duration_unit_price: 2,
  },
  call_analysis: {
    call_summary: 'The user asks whether it is open.',
    in_voicemail: false,
    user_sentiment: 'Positive',
    call_successful: true,
    custom_analysis_data: { topic: 'hours', urgent: false },
  },
  retell_llm_dynamic_variables: { plan: 'gold' },
  metadata: { ticket: 'T-1' },
  ...more,
});
