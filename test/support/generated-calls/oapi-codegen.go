package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"

	platform "example.com/test/client"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func check(err error) { must(0, err) }

func main() {
	withKey := platform.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("API_KEY"))
		return nil
	})
	client := must(platform.NewClientWithResponses(os.Getenv("BASE_URL"), withKey))
	ctx := context.Background()

	key := "oapi-codegen"
	create := func() platform.Project {
		params := &platform.ProjectsCreateParams{IdempotencyKey: &key}
		return must(client.ProjectsCreateWithResponse(ctx, params, platform.ProjectCreateRequest{Name: "nightly"})).JSON201.Data
	}
	project, again := create(), create()
	if again.Id != project.Id || again.Status != platform.ProjectStatusActive {
		log.Fatal(again)
	}
	limit := 1
	listed := must(client.ProjectsListWithResponse(ctx, &platform.ProjectsListParams{Limit: &limit})).JSON200.Data
	refused := must(client.ProjectsGetWithResponse(ctx, "proj_01JZ4Y7Q8R5T2V9W3X6B0C1D4E")).JSON404

	content := "Within 30 days."
	document := platform.KnowledgeDocumentCreateRequest{Title: "Returns", Content: &content}
	must(client.KnowledgeDocumentsCreateWithResponse(ctx, project.Id, nil, document))
	updated := &platform.KnowledgeDocumentsListParams{UpdatedFrom: &project.CreatedAt}
	documents := must(client.KnowledgeDocumentsListWithResponse(ctx, project.Id, updated)).JSON200.Data

	ada := platform.AvatarCreateRequest{Name: "Ada", Persona: platform.PersonaInput{Prompt: "Be kind."}}
	avatar := must(client.AvatarsCreateWithResponse(ctx, project.Id, nil, ada)).JSON201.Data
	hourAgo := time.Now().Add(-time.Hour)
	started := platform.ConversationCreateRequest{AvatarId: avatar.Id, StartedAt: &hourAgo}
	conversation := must(client.ConversationsCreateWithResponse(ctx, project.Id, nil, started)).JSON201.Data
	messages := platform.ConversationAppendRequest{
		Messages: []platform.MessageInput{{Role: platform.MessageRoleUser, Text: "Thanks!"}},
	}
	must(client.ConversationsAppendWithResponse(ctx, project.Id, conversation.Id, nil, messages))

	outputs := make([]platform.ScoreOutput, 4)
	check(outputs[0].FromBooleanOutput(platform.BooleanOutput{}))
	check(outputs[1].FromNumberOutput(platform.NumberOutput{Min: 1, Max: 5}))
	check(outputs[2].FromCategoryOutput(platform.CategoryOutput{Values: []string{"good", "bad"}}))
	check(outputs[3].FromTextOutput(platform.TextOutput{}))
	names := []string{"solved", "stars", "mood", "summary"}
	for index, value := range []any{true, 4.5, "good", "The user thanks."} {
		evaluator := platform.EvaluatorCreateRequest{Name: names[index], Kind: platform.EvaluatorKindExternal, Output: &outputs[index]}
		if made := must(client.EvaluatorsCreateWithResponse(ctx, project.Id, nil, evaluator)).JSON201; made.Data.Name != names[index] {
			log.Fatal(made)
		}
		score := platform.ConversationScorePutRequest{Value: value}
		must(client.ConversationsScoresPutWithResponse(ctx, project.Id, conversation.Id, names[index], score))
	}
	values := map[string]platform.ConversationScore{}
	for _, score := range must(client.ConversationsGetWithResponse(ctx, project.Id, conversation.Id)).JSON200.Data.Scores {
		values[score.Name] = score
	}
	solved := must(values["solved"].Value.AsConversationScoreValue0())
	stars := must(values["stars"].Value.AsConversationScoreValue1())
	mood := must(values["mood"].Value.AsConversationScoreValue2())
	fmt.Printf("%s, %d project, %s, %d document, %v, %v, %s, %v\n", project.Name, len(listed.Items), refused.Error.Code,
		len(documents.Items), solved, stars, mood, values["summary"].Value == nil)
}
