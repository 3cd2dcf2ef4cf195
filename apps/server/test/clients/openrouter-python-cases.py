"""OpenRouter's own Python package, which checks every answer against OpenRouter's schema, against the running server."""

import os

import openrouter
from openrouter import errors
from openrouter.utils import BackoffStrategy, RetryConfig

from python_cases import ask, refused, run_cases

MODEL = "test/cheap"
WEATHER = {
    "type": "function",
    "function": {"name": "get_weather", "parameters": {"type": "object", "properties": {}}},
}


def connect(key):
    return openrouter.OpenRouter(
        api_key=key,
        server_url=os.environ["SERVER_URL"] + "/api/v1",
        # Its default is five seconds between two events.
        timeout_ms=60_000,
        retry_config=RetryConfig("none", BackoffStrategy(1, 1, 1, 1), False),
    )


client = connect(os.environ["OPENAI_API_KEY"])


def whole():
    answer = client.chat.send(model=MODEL, messages=ask(deltas=3))
    assert answer.choices[0].message.content == " tok tok tok", answer
    assert answer.choices[0].finish_reason == "stop", answer
    assert answer.usage.completion_tokens == 3 and answer.usage.cost > 0, answer.usage


def stream():
    text, finishes, costs = "", [], []
    with client.chat.send(model=MODEL, messages=ask(deltas=4), stream=True) as events:
        for event in events:
            for choice in event.choices:
                text += choice.delta.content or ""
                finishes.append(choice.finish_reason)
            costs.append(event.usage.cost if event.usage else None)
    assert text == " tok" * 4, text
    assert [finish for finish in finishes if finish] == ["stop"], finishes
    assert len([cost for cost in costs if cost]) == 1, costs


def tools():
    calls = [{"name": "get_weather", "arguments": '{"city":"Oslo"}'}] * 2
    asked = ask(toolCalls=calls)
    answer = client.chat.send(model=MODEL, messages=asked, tools=[WEATHER])
    message = answer.choices[0].message
    assert answer.choices[0].finish_reason == "tool_calls", answer
    assert [call.function.arguments for call in message.tool_calls] == [
        call["arguments"] for call in calls
    ], message
    results = [
        {"role": "tool", "tool_call_id": call.id, "content": "Sunny."}
        for call in message.tool_calls
    ]
    # Its own message goes back as it came.
    messages = [*asked, message, *results, *ask(text="It is sunny.")]
    answer = client.chat.send(model=MODEL, messages=messages, tools=[WEATHER])
    assert answer.choices[0].message.content == "It is sunny.", answer


def streamed_tools():
    calls = [{"name": "get_weather", "arguments": '{"city":"Oslo"}'}]
    found, finishes = "", []
    messages = ask(toolCalls=calls)
    with client.chat.send(model=MODEL, messages=messages, tools=[WEATHER], stream=True) as events:
        for choice in [choice for event in events for choice in event.choices]:
            finishes.append(choice.finish_reason)
            for call in choice.delta.tool_calls or []:
                found += call.function.arguments or ""
    assert found == calls[0]["arguments"], found
    assert [finish for finish in finishes if finish] == ["tool_calls"], finishes


def models():
    listed = client.models.list()
    assert MODEL in [model.id for model in listed.result.data], listed
    assert client.models.count().data.count >= len(listed.result.data)
    found = client.models.get(author="test", slug="cheap")
    assert found.data.id == MODEL, found
    endpoints = client.endpoints.list(author="test", slug="cheap")
    assert len(endpoints.data.endpoints) > 0, endpoints
    assert len(client.providers.list().data) > 0


def embeddings():
    answer = client.embeddings.generate(model="test/embeddings", input=["one text", "another"])
    assert [len(item.embedding) for item in answer.data] == [256, 256], answer.data
    assert answer.usage.prompt_tokens > 0 and answer.usage.cost > 0, answer.usage
    listed = client.embeddings.list_models()
    assert "test/embeddings" in [model.id for model in listed.result.data], listed


def account():
    assert client.credits.get_credits().data.total_credits > 0
    assert client.api_keys.get_current_key_metadata().data.usage >= 0


def generation():
    answer = client.chat.send(model=MODEL, messages=ask(deltas=2))
    found = client.generations.get_generation(id=answer.id)
    assert found.data.total_cost == answer.usage.cost, found


def broken_stream():
    messages = ask(deltas=5, errorAfterDeltas=2)
    with client.chat.send(model=MODEL, messages=messages, stream=True) as events:
        last = list(events)[-1]
    assert last.error.code == 502, last
    assert last.choices[0].finish_reason == "error", last


def errors_of_its_own():
    def fail(using, **fields):
        asked = {"model": MODEL, "messages": ask(deltas=1), **fields}
        return refused(lambda: using.chat.send(**asked), errors.OpenRouterError)

    error = fail(connect("sk-wrong"))
    assert isinstance(error, errors.UnauthorizedResponseError), repr(error)
    error = fail(connect(os.environ["POOR_KEY"]))
    assert isinstance(error, errors.PaymentRequiredResponseError), repr(error)
    error = fail(client, model="test/none")
    assert isinstance(error, errors.NotFoundResponseError), repr(error)
    assert "`test/none`" in str(error), str(error)
    error = fail(client, temperature=7.0)
    assert isinstance(error, errors.BadRequestResponseError), repr(error)


CASES = [
    whole,
    stream,
    tools,
    streamed_tools,
    models,
    embeddings,
    account,
    generation,
    broken_stream,
    errors_of_its_own,
]

if __name__ == "__main__":
    run_cases(CASES)
