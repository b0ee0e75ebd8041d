# A call of Vapi: an item of GET /call, the response to GET /call/{id}, or the server message end-of-call-report.
#
# Made after https://docs.vapi.ai/api-reference/calls/list and https://docs.vapi.ai/server-url/end-of-call-report, as of 2026-11-28.

# Unix seconds, as ISO 8601 with milliseconds.
def time: (. * 1000 | round) as $ms
  | ($ms / 1000 | floor | todate | .[:-1]) + "." + (($ms % 1000 + 1000 | tostring)[1:]) + "Z";

# ISO 8601 in UTC, as Unix seconds.
def seconds: capture("^(?<whole>[^.Z]+)(?<part>\\.[0-9]+)?Z$")
  | (.whole + "Z" | fromdate) + (.part // "0" | tonumber);

def text: if type == "string" then . else tojson end;

# Metadata has texts. What is null or blank is left out.
def texts: with_entries(.value |= (if . == null then . else text end)
  | select(.value != null and (.value | test("\\S"))));

# A message without a text is left out.
def message($role; $text; $at; $metadata): select($text | type == "string" and test("\\S"))
  | {role: $role, text: $text, at: ($at | time)} + ($metadata | texts | if . == {} then {} else {metadata: .} end);

# `time` has Unix milliseconds.
def at($start): if .time then .time / 1000 else $start + (.secondsFromStart // 0) end;

def turn($start): at($start) as $at
  | if .role == "user" or .role == "system" then message(.role; .message; $at; {})
    elif .role == "bot" or .role == "assistant" then message("avatar"; .message; $at; {assistant: .assistantName})
    elif .role == "tool_calls" then .toolCalls // [] | .[] | .function as $function
      | message("tool"; "\($function.name)(\($function.arguments // "" | text))"; $at;
          {toolCallId: .id, tool: $function.name})
    elif .role == "tool_call_result" then
      message("tool"; .result // "" | text; $at; {toolCallId: .toolCallId, tool: .name})
    else message("system"; .message; $at; {role: .role}) end;

# The system messages before all others are the prompt, which belongs to the avatar.
def withoutPrompt: . as $all | (map(.role != "system") | index(true)) as $first
  | if $first == null then [] else $all[$first:] end;

(if (.message | type) == "object" and (.message.call | type) == "object"
  then .message | .call + del(.call, .type) else . end)
# The others have not ended, or nobody was there.
| select(.endedAt != null or .endedReason != null or .status == "ended")
| (.startedAt // .createdAt) as $startedAt
| ($startedAt | seconds) as $start
| [(.artifact.messages // .messages // []) | withoutPrompt[] | turn($start)] as $messages
| (.endedReason // "" | if test("error|fault|failed") then "error" else "completed" end) as $reason
| {
    externalId: .id,
    avatarId: (.assistantId // .squadId // .workflowId),
    externalUserId: (.customer.externalId // .customer.number // .customer.sipUri // .customerId),
    channel: (if .type // "" | test("PhoneCall$") then "phone" else "web" end),
    startedAt: ($start | time),
    endedAt: ([.endedAt // $startedAt | seconds | time] + [$messages[].at] | max),
    # The complete reason is in the metadata.
    endReason: (.endedReason // "" | if test("\\S") and length <= 40 then . else $reason end),
    metadata: ({
        summary: (.analysis.summary // .summary),
        successEvaluation: .analysis.successEvaluation,
        structuredData: .analysis.structuredData,
        endedReason: .endedReason,
        # In US dollars.
        cost: .cost,
        direction: (.type // "" | if test("^inbound") then "inbound" elif test("^outbound") then "outbound" else null end)
      }
      + (.costBreakdown // {} | with_entries(select(.value | type == "number") | .key |= "cost." + .))
      + (.artifact.structuredOutputs // {} | with_entries(.key as $id | .value | if type == "object" and has("result")
          then {key: "output.\(.name // $id)", value: .result} else {key: "output.\($id)", value: .} end))
      + (.assistantOverrides.variableValues // {} | with_entries(.key |= "variable." + .))
      | texts),
    messages: $messages
  }
