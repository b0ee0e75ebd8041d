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

func must[T any](value T, response *http.Response, err error) T {
	if err != nil {
		log.Fatalf("%v %v", response, err)
	}
	return value
}

func main() {
	configuration := platform.NewConfiguration()
	configuration.Servers = platform.ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	configuration.AddDefaultHeader("Authorization", "Bearer "+os.Getenv("API_KEY"))
	client := platform.NewAPIClient(configuration)
	ctx := context.Background()

	sent := platform.NewProjectCreateRequest("nightly")
	create := client.ProjectsAPI.ProjectsCreate(ctx).IdempotencyKey("openapi-generator-go").ProjectCreateRequest(*sent)
	project := must(create.Execute()).Data
	again := must(create.Execute()).Data
	if again.Id != project.Id || again.Status != platform.ProjectStatusActive {
		log.Fatal(again)
	}
	listed := must(client.ProjectsAPI.ProjectsList(ctx).Limit(1).Execute()).Data
	_, response, err := client.ProjectsAPI.ProjectsGet(ctx, "proj_01JZ4Y7Q8R5T2V9W3X6B0C1D4E").Execute()
	if response.StatusCode != 404 {
		log.Fatal(response)
	}
	refused := err.(*platform.GenericOpenAPIError).Model().(platform.ErrorResponse)

	document := platform.NewKnowledgeDocumentCreateRequest("Returns")
	document.SetContent("Within 30 days.")
	must(client.KnowledgeAPI.KnowledgeDocumentsCreate(ctx, project.Id).KnowledgeDocumentCreateRequest(*document).Execute())
	documents := must(client.KnowledgeAPI.KnowledgeDocumentsList(ctx, project.Id).UpdatedFrom(project.CreatedAt).Execute()).Data

	persona := platform.NewPersonaInput("Be kind.")
	avatar := must(client.AvatarsAPI.AvatarsCreate(ctx, project.Id).AvatarCreateRequest(*platform.NewAvatarCreateRequest("Ada", *persona)).Execute()).Data
	started := platform.NewConversationCreateRequest(avatar.Id)
	started.SetStartedAt(time.Now().Add(-time.Hour))
	conversation := must(client.ConversationsAPI.ConversationsCreate(ctx, project.Id).ConversationCreateRequest(*started).Execute()).Data
	message := platform.NewMessageInput(platform.MessageRoleUser, "Thanks!")
	must(client.ConversationsAPI.ConversationsAppend(ctx, project.Id, conversation.Id).ConversationAppendRequest(*platform.NewConversationAppendRequest([]platform.MessageInput{*message})).Execute())

	number := platform.NewNumberOutput("number", 1, 5)
	for _, one := range []struct {
		name   string
		output platform.ScoreOutput
		value  any
	}{
		{"solved", platform.BooleanOutputAsScoreOutput(platform.NewBooleanOutput("boolean")), true},
		{"stars", platform.NumberOutputAsScoreOutput(number), 4.5},
		{"mood", platform.CategoryOutputAsScoreOutput(platform.NewCategoryOutput("category", []string{"good", "bad"})), "good"},
		{"summary", platform.TextOutputAsScoreOutput(platform.NewTextOutput("text")), "The user thanks."},
	} {
		evaluator := platform.NewEvaluatorCreateRequest(one.name, platform.EvaluatorKindExternal)
		evaluator.SetOutput(one.output)
		must(client.EvaluatorsAPI.EvaluatorsCreate(ctx, project.Id).EvaluatorCreateRequest(*evaluator).Execute())
		must(client.ConversationsAPI.ConversationsScoresPut(ctx, project.Id, conversation.Id, one.name).ConversationScorePutRequest(*platform.NewConversationScorePutRequest(one.value)).Execute())
	}
	scored := must(client.ConversationsAPI.ConversationsGet(ctx, project.Id, conversation.Id).Execute()).Data
	values := map[string]*platform.ConversationScoreValue{}
	for _, score := range scored.Scores {
		values[score.Name] = score.Value.Get()
	}
	fmt.Printf("%s, %d project, %s, %d document, %v, %v, %s, %v\n", project.Name, len(listed.Items), refused.Error.Code,
		len(documents.Items), *values["solved"].Bool, *values["stars"].Float32, *values["mood"].String, values["summary"] == nil)
}
