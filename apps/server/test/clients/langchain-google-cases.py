"""LangChain's package for Google's models against the running server: chat, streams, tools and embeddings."""

import os

from langchain_core.messages import HumanMessage, ToolMessage
from langchain_google_genai import ChatGoogleGenerativeAI, GoogleGenerativeAIEmbeddings

from python_cases import question, refused, run_cases

BASE = os.environ["SERVER_URL"]
KEY = os.environ["OPENAI_API_KEY"]


def chat(model="test/cheap", key=KEY, **options):
    return ChatGoogleGenerativeAI(
        model=model, google_api_key=key, base_url=BASE, max_retries=1, **options
    )


def whole():
    answer = chat().invoke(question(deltas=3))
    assert answer.text == " tok tok tok", answer
    assert answer.usage_metadata["output_tokens"] == 3, answer


def stream():
    chunks = list(chat().stream(question(deltas=4)))
    assert "".join(chunk.text for chunk in chunks) == " tok" * 4, chunks
    total = chunks[0]
    for chunk in chunks[1:]:
        total += chunk
    assert total.usage_metadata["output_tokens"] == 4, total


def tools():
    def get_weather(city: str) -> str:
        """The weather of a city."""
        return "Sunny."

    model = chat().bind_tools([get_weather])
    asked = HumanMessage(question(toolCalls=1))
    first = model.invoke([asked])
    [call] = first.tool_calls
    assert call["name"] == "get_weather", first
    result = ToolMessage(content="Sunny.", tool_call_id=call["id"])
    second = model.invoke([asked, first, result, HumanMessage(question(deltas=2))])
    assert second.text == " tok tok", second


def thoughts():
    model = chat(model="test/anthropic", include_thoughts=True, thinking_budget=2000)
    asked = HumanMessage(question(reasoning=2, signature="c2lnbmF0dXJl", deltas=1))
    first = model.invoke([asked])
    second = model.invoke([asked, first, HumanMessage(question(deltas=2))])
    assert second.text == " tok tok", second


def structured():
    schema = {
        "title": "City",
        "type": "object",
        "properties": {"name": {"type": "string"}},
        "required": ["name"],
    }
    model = chat().with_structured_output(schema, method="json_schema")
    assert model.invoke(question(text='{"name":"Oslo"}')) == {"name": "Oslo"}


def embeddings():
    model = GoogleGenerativeAIEmbeddings(
        model="test/embeddings", google_api_key=KEY, base_url=BASE, output_dimensionality=64
    )
    vectors = model.embed_documents(["one text", "another"])
    assert [len(vector) for vector in vectors] == [64, 64], vectors
    assert len(model.embed_query("a question")) == 64


def errors_of_its_own():
    def fail(**options):
        return str(refused(lambda: chat(**options).invoke(question()), Exception))

    assert "401" in fail(key="sk-wrong")
    assert "402" in fail(key=os.environ["POOR_KEY"])
    assert "test/none" in fail(model="test/none")


CASES = [whole, stream, tools, thoughts, structured, embeddings, errors_of_its_own]

if __name__ == "__main__":
    run_cases(CASES)
