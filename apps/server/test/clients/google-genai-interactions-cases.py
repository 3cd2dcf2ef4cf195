"""The Interactions API of Google's official Python package against the running server."""

import os

from google import genai

from python_cases import question, refused, run_cases

MODEL = "test/cheap"
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def connect(key):
    return genai.Client(api_key=key, http_options={"base_url": os.environ["SERVER_URL"]})


# It closes its connections when nothing refers to it.
owner = connect(os.environ["OPENAI_API_KEY"])
client = owner.interactions


def whole():
    answer = client.create(model=MODEL, input=question(deltas=3))
    assert answer.output_text == " tok tok tok", answer
    assert answer.status == "completed" and answer.model == MODEL, answer
    assert answer.usage.total_output_tokens == 3, answer.usage
    assert answer.id.startswith("gen-"), answer


def stream():
    text, types = "", []
    for event in client.create(model=MODEL, input=question(deltas=4), stream=True):
        types.append(event.event_type)
        if event.event_type == "step.delta":
            text += event.delta.text
        last = event
    assert text == " tok" * 4, text
    assert types[0] == "interaction.created", types
    assert last.event_type == "interaction.completed", last
    assert last.interaction.usage.total_output_tokens == 4, last


def late_stream():
    asked = question(deltas=2, firstByteMs=600, paceMs=400)
    events = list(client.create(model=MODEL, input=asked, stream=True))
    texts = [event.delta.text for event in events if event.event_type == "step.delta"]
    assert "".join(texts) == " tok tok", texts


def tools():
    tool = {
        "type": "function",
        "name": "get_weather",
        "description": "The weather of a city.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
    }
    asked = {"type": "user_input", "content": [{"type": "text", "text": question(toolCalls=1)}]}
    first = client.create(model=MODEL, input=[asked], tools=[tool])
    assert first.status == "requires_action", first
    [call] = [step for step in first.steps if step.type == "function_call"]
    assert call.name == "get_weather", call
    steps = [step.model_dump(exclude_none=True) for step in first.steps]
    result = {"type": "function_result", "call_id": call.id, "result": "Sunny."}
    said = {"type": "user_input", "content": [{"type": "text", "text": question(deltas=2)}]}
    second = client.create(model=MODEL, input=[asked, *steps, result, said], tools=[tool])
    assert second.output_text == " tok tok", second


def thoughts():
    config = {"thinking_level": "low", "thinking_summaries": "auto"}
    asked = question(reasoning=2, signature="c2lnbmF0dXJl", deltas=1)
    answer = client.create(model="test/anthropic", input=asked, generation_config=config)
    [thought] = [step for step in answer.steps if step.type == "thought"]
    assert thought.signature and thought.summary, thought
    steps = [step.model_dump(exclude_none=True) for step in answer.steps]
    said = {"type": "user_input", "content": [{"type": "text", "text": question(deltas=2)}]}
    again = client.create(
        model="test/anthropic", input=[said, *steps, said], generation_config=config
    )
    assert again.output_text == " tok tok", again


def structured():
    answer = client.create(
        model=MODEL,
        input=question(text='{"name":"Oslo"}'),
        response_format={
            "type": "text",
            "mime_type": "application/json",
            "schema": {"type": "object", "properties": {"name": {"type": "string"}}},
        },
    )
    assert answer.output_text == '{"name":"Oslo"}', answer


def images():
    asked = [
        {"type": "text", "text": question(deltas=1)},
        {"type": "image", "mime_type": "image/png", "data": PIXEL},
    ]
    answer = client.create(model="test/vision", input=asked)
    assert answer.output_text == " tok", answer


def stored():
    first = client.create(model=MODEL, input=question(text="Hello Ada."), store=True)
    kept = client.get(first.id)
    assert kept.output_text == "Hello Ada." and kept.status == "completed", kept
    events = client.create(
        model=MODEL,
        input=question(deltas=2),
        store=True,
        stream=True,
        previous_interaction_id=first.id,
    )
    completed = [event for event in events if event.event_type == "interaction.completed"]
    second = client.get(completed[-1].interaction.id, include_input=True)
    assert second.output_text == " tok tok", second
    assert second.previous_interaction_id == first.id, second
    [said] = second.input
    assert said.type == "user_input" and said.content, second.input
    error = refused(lambda: client.cancel(second.id), Exception)
    assert status_of(error) == 400 and "background" in str(error), repr(error)
    client.delete(first.id)
    error = refused(lambda: client.get(first.id), Exception)
    assert status_of(error) == 404, repr(error)
    asked = {"model": MODEL, "input": "And?", "previous_interaction_id": second.id}
    error = refused(lambda: client.create(**asked), Exception)
    assert status_of(error) == 404 and "was deleted" in str(error), repr(error)


def status_of(error):
    for name in ["status_code", "code", "status"]:
        if isinstance(getattr(error, name, None), int):
            return getattr(error, name)
    return repr(error)


def errors_of_its_own():
    def fail(using, **request):
        asked = {"model": MODEL, "input": "Hello", **request}
        return refused(lambda: using.interactions.create(**asked), Exception)

    assert status_of(fail(connect("sk-wrong"))) == 401
    assert status_of(fail(connect(os.environ["POOR_KEY"]))) == 402
    assert status_of(fail(owner, model="test/none")) == 404
    error = fail(owner, previous_interaction_id="v1_abc")
    assert status_of(error) == 404 and "previous_interaction_id" in str(error), repr(error)
    error = fail(owner, background=True)
    assert status_of(error) == 400 and "background" in str(error), repr(error)
    for ask in [client.get, client.cancel, client.delete]:
        error = refused(lambda: ask("gen-1"), Exception)
        assert status_of(error) == 404 and "No stored interaction" in str(error), repr(error)


def broken_stream():
    seen = []

    def read():
        asked = question(deltas=5, errorAfterDeltas=2)
        for event in client.create(model=MODEL, input=asked, stream=True):
            seen.append(event.event_type)

    refused(read, Exception)
    assert seen[-1] == "error", seen


CASES = [
    whole,
    stream,
    late_stream,
    tools,
    thoughts,
    structured,
    images,
    stored,
    errors_of_its_own,
    broken_stream,
]

if __name__ == "__main__":
    run_cases(CASES)
