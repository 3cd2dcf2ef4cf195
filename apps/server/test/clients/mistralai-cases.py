"""Mistral's official Python package, which checks every answer against Mistral's schema, against the running server."""

import os

from mistralai.client import Mistral, errors

from python_cases import ask, refused, run_cases

MODEL = "test/cheap"
WEATHER = {
    "type": "function",
    "function": {"name": "get_weather", "parameters": {"type": "object", "properties": {}}},
}


def connect(key):
    return Mistral(api_key=key, server_url=os.environ["SERVER_URL"])


client = connect(os.environ["OPENAI_API_KEY"])


def whole():
    answer = client.chat.complete(model=MODEL, messages=ask(deltas=3))
    assert answer.choices[0].message.content == " tok tok tok", answer
    assert answer.choices[0].finish_reason == "stop", answer
    assert answer.usage.completion_tokens == 3, answer.usage


def stream():
    text, finishes = "", []
    with client.chat.stream(model=MODEL, messages=ask(deltas=4)) as events:
        chunks = [event.data for event in events]
    for choice in [choice for chunk in chunks for choice in chunk.choices]:
        text += choice.delta.content or ""
        finishes.append(choice.finish_reason)
    assert text == " tok" * 4, text
    assert [finish for finish in finishes if finish] == ["stop"], finishes


def tools():
    messages = [{"role": "user", "content": "What is the weather?"}]
    asked = {"model": "sandbox/tools", "tools": [WEATHER]}
    first = client.chat.complete(messages=messages, **asked)
    message = first.choices[0].message
    assert first.choices[0].finish_reason == "tool_calls", first
    call = message.tool_calls[0]
    result = {
        "role": "tool",
        "name": call.function.name,
        "tool_call_id": call.id,
        "content": "Sunny.",
    }
    # Its own message goes back as it came.
    second = client.chat.complete(messages=[*messages, message, result], **asked)
    assert second.choices[0].message.content == "The tool says: Sunny.", second


def models():
    assert MODEL in [model.id for model in client.models.list().data]
    assert client.models.retrieve(model_id=MODEL).id == MODEL


def embeddings():
    answer = client.embeddings.create(model="test/embeddings", inputs=["one text", "another"])
    assert [len(item.embedding) for item in answer.data] == [256, 256], answer
    assert answer.usage.prompt_tokens > 0, answer.usage


def broken_stream():
    def read():
        with client.chat.stream(
            model=MODEL, messages=ask(deltas=5, errorAfterDeltas=2)
        ) as events:
            return list(events)

    # Its schema knows no error in a stream: the event that says so is not valid for it.
    error = refused(read, errors.ResponseValidationError)
    assert "choices" in str(error), repr(error)


def errors_of_its_own():
    def fail(using, **fields):
        asked = {"model": MODEL, "messages": ask(deltas=1), **fields}
        return refused(lambda: using.chat.complete(**asked), errors.MistralError)

    assert fail(connect("sk-wrong")).status_code == 401
    assert fail(connect(os.environ["POOR_KEY"])).status_code == 402
    error = fail(client, model="test/none")
    assert error.status_code == 404 and "`test/none`" in str(error), repr(error)
    assert fail(client, temperature=7.0).status_code == 400


CASES = [
    whole,
    stream,
    tools,
    models,
    embeddings,
    broken_stream,
    errors_of_its_own,
]

if __name__ == "__main__":
    run_cases(CASES)
