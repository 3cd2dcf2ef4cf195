"""Google's official Python package, which knows each member of an answer, against the running server."""

import os

from google import genai
from google.genai import errors, types

from python_cases import question, refused, run_cases

MODEL = "test/cheap"


def connect(key):
    return genai.Client(api_key=key, http_options={"base_url": os.environ["SERVER_URL"]})


client = connect(os.environ["OPENAI_API_KEY"])


def whole():
    answer = client.models.generate_content(model=MODEL, contents=question(deltas=3))
    assert answer.text == " tok tok tok", answer
    assert answer.candidates[0].finish_reason == types.FinishReason.STOP, answer
    assert answer.usage_metadata.candidates_token_count == 3, answer.usage_metadata
    assert answer.model_version == MODEL and answer.response_id.startswith("gen-"), answer


def stream():
    text, finishes = "", []
    for chunk in client.models.generate_content_stream(model=MODEL, contents=question(deltas=4)):
        text += chunk.text or ""
        finishes.append(chunk.candidates[0].finish_reason)
        last = chunk
    assert text == " tok" * 4, text
    assert [finish for finish in finishes if finish] == [types.FinishReason.STOP], finishes
    assert last.usage_metadata.candidates_token_count == 4, last


def late_stream():
    asked = question(deltas=2, firstByteMs=600, paceMs=400)
    stream = client.models.generate_content_stream(model=MODEL, contents=asked)
    assert "".join(chunk.text or "" for chunk in stream) == " tok tok"


def tools():
    def get_weather(city: str) -> str:
        """The weather of a city."""
        return "Sunny."

    config = types.GenerateContentConfig(tools=[get_weather], temperature=0)
    answer = client.models.generate_content(
        model="sandbox/tools", contents="What is the weather?", config=config
    )
    # The package calls the function itself, and sends its result.
    assert "Sunny." in answer.text, answer
    assert len(answer.automatic_function_calling_history) >= 3, answer


def chats():
    for send in ["whole", "streamed"]:
        chat = client.chats.create(model=MODEL)
        for turn in [2, 3]:
            asked = question(deltas=turn)
            if send == "whole":
                text = chat.send_message(asked).text
            else:
                text = "".join(chunk.text or "" for chunk in chat.send_message_stream(asked))
            assert text == " tok" * turn, text
        history = chat.get_history(curated=True)
        assert [content.role for content in history if content.role == "user"] == ["user"] * 2
        said = "".join(
            part.text or "" for content in history if content.role == "model" for part in content.parts
        )
        assert said == " tok" * 5, history


def thoughts():
    config = types.GenerateContentConfig(
        thinking_config=types.ThinkingConfig(include_thoughts=True, thinking_budget=2000)
    )
    asked = question(reasoning=2, signature="c2lnbmF0dXJl", deltas=1)
    answer = client.models.generate_content(model="test/anthropic", contents=asked, config=config)
    parts = answer.candidates[0].content.parts
    assert any(part.thought and part.thought_signature for part in parts), parts
    # What came goes back as it came.
    contents = [
        types.UserContent(parts=[types.Part(text="Hello")]),
        answer.candidates[0].content,
        types.UserContent(parts=[types.Part(text=question(deltas=1))]),
    ]
    again = client.models.generate_content(model="test/anthropic", contents=contents, config=config)
    assert again.text == " tok", again


def structured():
    config = types.GenerateContentConfig(
        response_mime_type="application/json",
        response_schema={"type": "OBJECT", "properties": {"name": {"type": "STRING"}}},
    )
    asked = question(text='{"name":"Oslo"}')
    answer = client.models.generate_content(model=MODEL, contents=asked, config=config)
    assert answer.parsed == {"name": "Oslo"}, answer


def images():
    pixel = bytes.fromhex("89504e470d0a1a0a") + bytes([255, 254, 251, 239]) * 8
    contents = [types.Part.from_bytes(data=pixel, mime_type="image/png"), question(deltas=1)]
    answer = client.models.generate_content(model="test/vision", contents=contents)
    assert answer.text == " tok", answer


def counts():
    counted = client.models.count_tokens(model=MODEL, contents="one two three")
    assert counted.total_tokens >= 3, counted


def embeddings():
    config = types.EmbedContentConfig(output_dimensionality=64)
    answer = client.models.embed_content(
        model="test/embeddings", contents=["one text", "another"], config=config
    )
    assert [len(item.values) for item in answer.embeddings] == [64, 64], answer


def models():
    names = [model.name for model in client.models.list(config={"page_size": 2})]
    assert f"models/{MODEL}" in names, names
    assert client.models.get(model=MODEL).name == f"models/{MODEL}"


def errors_of_its_own():
    def fail(using, model=MODEL, **script):
        return refused(
            lambda: using.models.generate_content(model=model, contents=question(**script)),
            errors.APIError,
        )

    error = fail(connect("sk-wrong"))
    assert (error.code, error.status) == (401, "UNAUTHENTICATED"), repr(error)
    error = fail(connect(os.environ["POOR_KEY"]))
    assert (error.code, error.status) == (402, "RESOURCE_EXHAUSTED"), repr(error)
    error = fail(client, model="test/none")
    assert (error.code, error.status) == (404, "NOT_FOUND") and "test/none" in error.message
    error = fail(client, status=429)
    assert (error.code, error.status) == (429, "RESOURCE_EXHAUSTED"), repr(error)


def broken_stream():
    def read():
        asked = question(deltas=5, errorAfterDeltas=2)
        return list(client.models.generate_content_stream(model=MODEL, contents=asked))

    error = refused(read, errors.ServerError)
    assert error.code == 502, repr(error)


CASES = [
    whole,
    stream,
    late_stream,
    tools,
    chats,
    thoughts,
    structured,
    images,
    counts,
    embeddings,
    models,
    errors_of_its_own,
    broken_stream,
]

if __name__ == "__main__":
    run_cases(CASES)
