"""The official Python `openai` package against the running server: runs the cases named, or all that this version has,
and prints one JSON line for each."""

import asyncio
import base64
import inspect
import json
import os
import time

import openai
import pydantic

from python_cases import ask, question, refused, run_cases

MODEL = "test/cheap"
client = openai.OpenAI()
# Older versions have these helpers under `beta`, and those before 1.66 no Responses API.
has_helpers = hasattr(client.chat.completions, "stream")
helpers = client.chat.completions if has_helpers else client.beta.chat.completions
WEATHER = {
    "type": "function",
    "function": {"name": "get_weather", "parameters": {"type": "object", "properties": {}}},
}


def whole():
    answer = client.chat.completions.create(model=MODEL, messages=ask(deltas=3))
    assert answer.choices[0].message.content == " tok tok tok", answer
    assert answer.usage.cost > 0, answer.usage
    raw = client.chat.completions.with_raw_response.create(model=MODEL, messages=ask(deltas=1))
    assert raw.headers["x-request-id"].startswith("req_"), raw.headers
    if hasattr(answer, "_request_id"):
        assert answer._request_id.startswith("req_"), answer._request_id


def stream():
    text, finishes = "", []
    for chunk in client.chat.completions.create(model=MODEL, messages=ask(deltas=4), stream=True):
        text += chunk.choices[0].delta.content or ""
        finishes.append(chunk.choices[0].finish_reason)
    assert text == " tok" * 4, text
    assert [finish for finish in finishes if finish] == ["stop"], finishes


def include_usage():
    chunks = client.chat.completions.create(
        model=MODEL,
        messages=ask(deltas=2),
        stream=True,
        stream_options={"include_usage": True},
    )
    usages = [chunk.usage for chunk in chunks]
    assert all(usage is None for usage in usages[:-1]), usages
    assert usages[-1].completion_tokens == 2, usages


def stream_helper():
    with helpers.stream(
        model=MODEL,
        messages=ask(deltas=3, reasoning=2),
        stream_options={"include_usage": True},
    ) as events:
        for _ in events:
            pass
        final = events.get_final_completion()
    assert final.choices[0].message.role == "assistant", final
    assert final.choices[0].message.content == " tok tok tok", final
    assert final.usage.completion_tokens == 5, final.usage


def stream_helper_with_tools():
    calls = [{"name": "get_weather", "arguments": '{"city":"Oslo"}'}] * 2
    with helpers.stream(
        model=MODEL, messages=ask(toolCalls=calls), tools=[WEATHER]
    ) as events:
        final = events.get_final_completion()
    choice = final.choices[0]
    assert choice.finish_reason == "tool_calls", choice
    called = [call.function for call in choice.message.tool_calls]
    assert [call.arguments for call in called] == [call["arguments"] for call in calls], called


def tools_round_trip():
    messages = [{"role": "user", "content": "What is the weather?"}]
    asked = {"model": "sandbox/tools", "tools": [WEATHER]}
    first = client.chat.completions.create(messages=messages, **asked).choices[0].message
    messages.append(first)
    messages.append(
        {"role": "tool", "tool_call_id": first.tool_calls[0].id, "content": "Sunny."}
    )
    second = client.chat.completions.create(messages=messages, **asked)
    assert second.choices[0].message.content == "The tool says: Sunny.", second


def abort():
    chunks = client.chat.completions.create(
        model=MODEL, messages=ask(tag="python abort", deltas=100000, paceMs=2), stream=True
    )
    for chunk in chunks:
        if chunk.choices[0].delta.content:
            break
    chunks.close()


def broken_stream():
    error = refused(
        lambda: list(
            client.chat.completions.create(
                model=MODEL, messages=ask(deltas=9, paceMs=20, cutAfterDeltas=3), stream=True
            )
        ),
        openai.OpenAIError,
    )
    assert isinstance(error, openai.APIError) and error.code == "bad_gateway", repr(error)


def complete(using, **fields):
    asked = {"model": MODEL, "messages": ask(deltas=1), **fields}
    return refused(lambda: using.chat.completions.create(**asked), openai.OpenAIError)


def errors():
    error = complete(client.with_options(api_key="sk-wrong"))
    assert isinstance(error, openai.AuthenticationError), repr(error)
    assert error.code == "invalid_api_key" and error.request_id.startswith("req_"), error.body
    error = complete(client.with_options(api_key=os.environ["POOR_KEY"]))
    assert isinstance(error, openai.APIStatusError) and error.status_code == 402, repr(error)
    assert error.code == "insufficient_quota", error.body
    error = complete(client, model="test/none")
    assert isinstance(error, openai.NotFoundError) and error.code == "model_not_found", repr(error)
    error = complete(client, n=130)
    assert isinstance(error, openai.BadRequestError) and error.param == "n", repr(error)


def embeddings():
    answer = client.embeddings.create(model="test/embeddings", input=["one text", "another text"])
    assert [len(item.embedding) for item in answer.data] == [256, 256], answer
    floats = client.embeddings.create(
        model="test/embeddings", input=["one text"], encoding_format="float"
    )
    pairs = zip(floats.data[0].embedding, answer.data[0].embedding)
    assert all(abs(a - b) < 1e-6 for a, b in pairs), "base64 and float differ"
    assert answer.usage.prompt_tokens == 5, answer.usage


def images():
    image = client.images.generate(
        model="test/image", prompt="a lighthouse", size="1024x1024", quality="low"
    )
    assert image.data[0].b64_json and image.usage.output_tokens > 0, image
    png = base64.b64decode(image.data[0].b64_json)
    edited = client.images.edit(
        model="test/image",
        prompt="a boat",
        image=[("a.png", png), ("b.png", png)],
        size="1024x1024",
        quality="low",
    )
    assert edited.data[0].b64_json, edited


def audio():
    spoken = client.audio.speech.create(
        model="test/speech", voice="alloy", input="Hello there.", response_format="wav"
    ).read()
    assert spoken[:4] == b"RIFF", spoken[:16]
    said = client.audio.transcriptions.create(model="test/transcription", file=("a.wav", spoken))
    assert said.text, said
    captions = client.audio.transcriptions.create(
        model="test/transcription", file=("a.wav", spoken), response_format="srt"
    )
    assert captions.startswith("1\n00:00:00,000 --> "), captions


def moderations():
    verdicts = client.moderations.create(model="test/moderation", input=["fine", "forbidden"])
    assert [result.flagged for result in verdicts.results] == [False, True], verdicts


def files():
    lines = b'{"custom_id":"1"}\n'
    kept = client.files.create(
        file=("lines.jsonl", lines),
        purpose="batch",
        expires_after={"anchor": "created_at", "seconds": 3600},
    )
    assert kept.expires_at == kept.created_at + 3600 and kept.bytes == len(lines), kept
    assert [file.id for file in client.files.list(purpose="batch")] == [kept.id]
    assert client.files.retrieve(kept.id).filename == "lines.jsonl"
    assert client.files.content(kept.id).read() == lines
    assert client.files.delete(kept.id).deleted
    error = refused(lambda: client.files.retrieve(kept.id), openai.OpenAIError)
    assert isinstance(error, openai.NotFoundError), repr(error)
    note = client.files.create(file=("a.txt", b"a note"), purpose="user_data")
    named = {"type": "file", "file": {"file_id": note.id}}
    answer = client.chat.completions.create(
        model=MODEL, messages=[{"role": "user", "content": [named]}]
    )
    assert answer.choices[0].message.content, answer
    client.files.delete(note.id)


def batches():
    def line(custom_id, **script):
        body = {"model": MODEL, "messages": ask(**script)}
        url = "/v1/chat/completions"
        return {"custom_id": custom_id, "method": "POST", "url": url, "body": body}

    lines = [line("one", deltas=2), line("two", deltas=3)]
    data = "\n".join(json.dumps(each) for each in lines).encode()
    file = client.files.create(file=("lines.jsonl", data), purpose="batch")
    batch = client.batches.create(
        input_file_id=file.id,
        endpoint="/v1/chat/completions",
        completion_window="24h",
        metadata={"job": "nightly"},
    )
    while batch.status in ("validating", "in_progress", "finalizing"):
        time.sleep(0.05)
        batch = client.batches.retrieve(batch.id)
    assert batch.status == "completed" and batch.metadata == {"job": "nightly"}, batch
    assert (batch.request_counts.total, batch.request_counts.completed) == (2, 2), batch
    results = client.files.content(batch.output_file_id).text.splitlines()
    answers = {each["custom_id"]: each["response"] for each in map(json.loads, results)}
    assert [answers[name]["status_code"] for name in ("one", "two")] == [200, 200], answers
    assert answers["two"]["body"]["usage"]["completion_tokens"] == 3, answers
    assert [each.id for each in client.batches.list(limit=1)] == [batch.id]
    assert client.batches.cancel(batch.id).status == "completed"


def operations_async():
    async def run():
        async with openai.AsyncOpenAI() as own:
            return await asyncio.gather(
                own.images.generate(model="test/image-piece", prompt="x", size="1024x1024"),
                own.moderations.create(model="test/moderation", input="fine"),
            )

    image, verdict = asyncio.run(run())
    assert image.data[0].url or image.data[0].b64_json, image
    assert verdict.results[0].flagged is False, verdict


def structured_output():
    class City(pydantic.BaseModel):
        city: str

    parsed = helpers.parse(
        model=MODEL, messages=ask(text='{"city":"Oslo"}'), response_format=City
    )
    assert parsed.choices[0].message.parsed == City(city="Oslo"), parsed


def retries():
    """The server of the test answers the third of each with a completion."""
    paying = client.with_options(api_key=os.environ["RETRY_KEY"])
    for status in [429, 500, 503]:
        messages = [{"role": "user", "content": f"again {status}"}]
        answer = paying.chat.completions.create(model=MODEL, messages=messages)
        assert answer.usage.completion_tokens == 1, answer


def models():
    assert MODEL in [model.id for model in client.models.list()]
    assert client.models.retrieve(MODEL).id == MODEL


def respond(**fields):
    script = fields.pop("script")
    asked = {"model": MODEL, "input": question(**script), **fields}
    return client.responses.create(**asked)


def response_whole():
    answer = respond(script={"deltas": 3, "reasoning": 1})
    assert answer.output_text == " tok tok tok", answer
    assert answer.status == "completed" and answer.usage.output_tokens == 4, answer.usage
    assert answer.usage.cost > 0 and answer._request_id.startswith("req_"), answer.usage


def response_stream():
    with client.responses.stream(
        model=MODEL,
        input=question(deltas=2, reasoning=1, toolCalls=CALLS),
        tools=[{"type": "function", **WEATHER["function"], "strict": False}],
    ) as events:
        numbers = [event.sequence_number for event in events]
        final = events.get_final_response()
    assert numbers == list(range(len(numbers))), numbers
    assert [item.type for item in final.output][1:] == ["message"] + ["function_call"] * 2, final
    assert [item.arguments for item in final.output[2:]] == [c["arguments"] for c in CALLS], final


def response_broken():
    events = list(respond(script={"deltas": 9, "paceMs": 20, "cutAfterDeltas": 3}, stream=True))
    assert events[-1].type == "response.failed", events[-1]
    assert "response.completed" not in [event.type for event in events]


def response_refused():
    error = refused(
        lambda: respond(script={}, previous_response_id="resp_1"), openai.OpenAIError
    )
    assert isinstance(error, openai.BadRequestError), repr(error)
    assert error.param == "previous_response_id", error.body
    error = refused(lambda: client.responses.retrieve("resp_1"), openai.OpenAIError)
    assert isinstance(error, openai.NotFoundError), repr(error)


def response_memory():
    first = respond(script={"deltas": 1}, store=True)
    assert first.store, first
    second = respond(script={"deltas": 2}, store=True, previous_response_id=first.id)
    assert second.previous_response_id == first.id, second
    assert second.usage.input_tokens > first.usage.input_tokens, second.usage
    assert client.responses.retrieve(second.id).output_text == " tok tok"
    items = list(client.responses.input_items.list(second.id, limit=1))
    assert [item.role for item in items] == ["user"], items
    client.responses.delete(first.id)
    error = refused(lambda: client.responses.retrieve(first.id), openai.OpenAIError)
    assert isinstance(error, openai.NotFoundError), repr(error)
    error = refused(
        lambda: respond(script={}, previous_response_id=second.id), openai.OpenAIError
    )
    assert error.code == "previous_response_not_found", error.body


def background():
    made = respond(script={"deltas": 8}, background=True)
    assert made.status == "queued" and made.background, made
    while made.status in ("queued", "in_progress"):
        made = client.responses.retrieve(made.id)
    assert made.status == "completed" and made.output_text == " tok" * 8, made
    events = list(client.responses.retrieve(made.id, stream=True))
    assert events[0].type == "response.created", events[0]
    assert events[-1].type == "response.completed", events[-1]
    rest = list(client.responses.retrieve(made.id, stream=True, starting_after=4))
    assert [event.sequence_number for event in rest] == list(range(5, len(events))), rest
    streamed = list(respond(script={"deltas": 3}, background=True, stream=True))
    assert streamed[-1].response.output_text == " tok" * 3, streamed[-1]
    endless = respond(script={"endless": True, "paceMs": 5}, background=True)
    assert client.responses.cancel(endless.id).status == "cancelled"


def conversations():
    talk = client.conversations.create(
        items=[{"type": "message", "role": "user", "content": "I am Ada."}],
        metadata={"topic": "names"},
    )
    answer = respond(script={"deltas": 1}, conversation=talk.id)
    assert answer.conversation.id == talk.id, answer
    items = list(client.conversations.items.list(talk.id, order="asc", limit=2))
    assert [item.role for item in items] == ["user", "user", "assistant"], items
    assert client.conversations.update(talk.id, metadata={}).metadata == {}
    assert client.conversations.delete(talk.id).deleted


CALLS = [{"name": "get_weather", "arguments": '{"city":"Oslo"}'}] * 2

CASES = [
    whole,
    stream,
    include_usage,
    stream_helper,
    stream_helper_with_tools,
    tools_round_trip,
    abort,
    broken_stream,
    errors,
    embeddings,
    audio,
    moderations,
    operations_async,
    structured_output,
    retries,
    models,
]
if "expires_after" in inspect.signature(client.files.create).parameters:
    CASES += [files, batches]
if "background" in inspect.signature(client.images.generate).parameters:
    CASES += [images]
if hasattr(client, "responses"):
    CASES += [response_whole, response_stream, response_broken, response_refused]
    CASES += [response_memory]
if hasattr(client, "conversations"):
    CASES += [conversations, background]

if __name__ == "__main__":
    run_cases(CASES)
