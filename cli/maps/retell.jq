# A call of Retell: an item of the list of calls, the response to GET /v2/get-call/{call_id}, or the webhook call_analyzed, which has
# the call in `call`.
#
# Made after https://docs.retellai.com/api-references/get-call and https://docs.retellai.com/features/webhook-overview, as of
# 2026-11-28.

# Unix milliseconds, as ISO 8601.
def time: round as $ms
  | ($ms / 1000 | floor | todate | .[:-1]) + "." + (($ms % 1000 + 1000 | tostring)[1:]) + "Z";

def text: if type == "string" then . else tojson end;

# Metadata has texts. What is null or blank is left out.
def texts: with_entries(.value |= (if . == null then . else text end)
  | select(.value != null and (.value | test("\\S"))));

def named($prefix): with_entries(.key |= $prefix + .);

# A message without a text is left out.
def message($role; $text; $at; $metadata): select($text | type == "string" and test("\\S"))
  | {role: $role, text: $text, at: ($at | time)} + ($metadata | texts | if . == {} then {} else {metadata: .} end);

# An utterance begins with its first word, in seconds from the start. Others may have no time: then it is that of the one before.
def turns($start): foreach .[] as $one ({at: $start};
    {at: (($one.words[0].start // $one.time_sec) as $seconds
      | if $seconds == null then .at else $start + 1000 * $seconds end)};
    .at as $at | $one
    | if .role == "agent" then message("avatar"; .content; $at; {})
      elif .role == "user" then message("user"; .content; $at; {})
      elif .role == "tool_call_invocation" then
        message("tool"; "\(.name)(\(.arguments // "" | text))"; $at; {toolCallId: .tool_call_id, tool: .name})
      elif .role == "tool_call_result" then
        message("tool"; .content // "" | text; $at;
          {toolCallId: .tool_call_id, isError: (if .successful == false then true else null end)})
      # What the user types, and what the person says to whom the call was transferred.
      elif .role == "dtmf" then message("user"; .digit; $at; {source: "dtmf"})
      elif .role == "sms" then message("user"; .content; $at; {source: "sms"})
      elif .role == "transfer_target" then message("user"; .content; $at; {source: "transfer_target"})
      # The steps of a conversation flow are no messages.
      elif .role == "node_transition" then empty
      else message("system"; .content; $at; {role: .role}) end);

(if (.call | type) == "object" then .call else . end)
# The others have not ended, or have not begun.
| select((.call_status // "ended" | IN("ended", "error", "not_connected")) and .start_timestamp != null)
| [.start_timestamp as $start | .transcript_with_tool_calls // .transcript_object // [] | turns($start)] as $messages
| {
    externalId: .call_id,
    avatarId: .agent_id,
    externalUserId: (if .direction == "outbound" then .to_number else .from_number end),
    channel: (if .call_type == "phone_call" then "phone" else "web" end),
    startedAt: (.start_timestamp | time),
    endedAt: ([.end_timestamp // .start_timestamp | time] + [$messages[].at] | max),
    endReason: (.disconnection_reason // (if .call_status == "error" then "error" else "completed" end)),
    metadata: ({
        summary: .call_analysis.call_summary,
        callSuccessful: .call_analysis.call_successful,
        userSentiment: .call_analysis.user_sentiment,
        inVoicemail: .call_analysis.in_voicemail,
        # Retell has US cents. This is in US dollars.
        cost: (.call_cost.combined_cost | if . == null then . else . / 100 end),
        direction: .direction,
        agentVersion: .agent_version
      }
      + (.call_analysis.custom_analysis_data // {} | named("analysis."))
      + (.retell_llm_dynamic_variables // {} | named("variable."))
      + (.collected_dynamic_variables // {} | named("collected."))
      + (.metadata // {} | if type == "object" then named("metadata.") else {metadata: .} end)
      | texts),
    messages: $messages
  }
