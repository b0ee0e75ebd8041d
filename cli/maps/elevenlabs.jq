# A conversation of ElevenLabs: the response to GET /v1/convai/conversations/{conversation_id}, or the webhook
# post_call_transcription, which has the conversation in `data`.
#
# Made after https://elevenlabs.io/docs/api-reference/conversations/get, as of 2026-11-28.

# Unix seconds, as ISO 8601 with milliseconds.
def time: (. * 1000 | round) as $ms
  | ($ms / 1000 | floor | todate | .[:-1]) + "." + (($ms % 1000 + 1000 | tostring)[1:]) + "Z";

# Metadata has texts. What is null or blank is left out.
def texts: with_entries(.value |= (if . == null or type == "string" then . else tojson end)
  | select(.value != null and (.value | test("\\S"))));

def named($prefix): with_entries(.key |= $prefix + .);

# A message without a text is left out. Its metadata may be empty.
def message($role; $text; $at; $metadata): select($text | type == "string" and test("\\S"))
  | {role: $role, text: $text, at: ($at | time)} + ($metadata | texts | if . == {} then {} else {metadata: .} end);

# What was said, then the calls of tools, then their results.
def turn($start): . as $turn | ($start + (.time_in_call_secs // 0)) as $at
  | message(if .role == "agent" then "avatar" else "user" end; .message; $at;
      {interrupted: (if .interrupted then true else null end), originalMessage: .original_message, medium: .source_medium}),
    (.tool_calls // [] | .[]
      | message("tool"; "\(.tool_name)(\(.params_as_json // ""))"; $at; {toolCallId: .request_id, tool: .tool_name})),
    (.tool_results // [] | .[]
      | message("tool"; .result_value // "" | if type == "string" then . else tojson end; $at;
          {toolCallId: .request_id, tool: .tool_name, isError: (if .is_error then true else null end)}));

(if (.data | type) == "object" and (.data | has("conversation_id")) then .data else . end)
# The others are not complete yet.
| select(.status == "done" or .status == "failed")
| .metadata as $call
| [$call.start_time_unix_secs as $start | .transcript // [] | .[] | turn($start)] as $messages
| (if .status == "failed" then "error" else "completed" end) as $reason
| {
    externalId: .conversation_id,
    avatarId: .agent_id,
    externalUserId: (.user_id // $call.phone_call.external_number),
    channel: (if $call.phone_call then "phone" elif $call.text_only then "chat" else "web" end),
    startedAt: ($call.start_time_unix_secs | time),
    # The seconds of the call are whole.
    endedAt: ([$call.start_time_unix_secs + ($call.call_duration_secs // 0) | time] + [$messages[].at] | max),
    # The complete reason is in the metadata.
    endReason: ($call.termination_reason // "" | if test("\\S") and length <= 40 then . else $reason end),
    metadata: ({
        summary: .analysis.transcript_summary,
        title: .analysis.call_summary_title,
        callSuccessful: .analysis.call_successful,
        terminationReason: $call.termination_reason,
        # In credits.
        cost: $call.cost,
        durationSeconds: $call.call_duration_secs,
        language: $call.main_language,
        direction: $call.phone_call.direction
      }
      + (.analysis.data_collection_results // {} | map_values(.value) | named("data."))
      + (.conversation_initiation_client_data.dynamic_variables // {}
        | with_entries(select(.key | startswith("system__") or startswith("secret__") | not)) | named("variable."))
      | texts),
    messages: $messages
  }
