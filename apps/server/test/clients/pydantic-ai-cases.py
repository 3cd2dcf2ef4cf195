"""pydantic-ai's model and provider of OpenRouter, which check every answer against OpenRouter's schema, against the
running server."""

import asyncio
import os

import openai
import pydantic
from pydantic_ai import Agent, ModelAPIError, ModelHTTPError
from pydantic_ai.models.openrouter import OpenRouterModel
from pydantic_ai.providers.openrouter import OpenRouterProvider

from python_cases import question, refused, run_cases

MODEL = "test/cheap"


def connect(key=os.environ["OPENAI_API_KEY"]):
    """The provider's address is fixed, except by a client."""
    base_url = os.environ["SERVER_URL"] + "/api/v1"
    client = openai.AsyncOpenAI(api_key=key, base_url=base_url, max_retries=0)
    return OpenRouterProvider(openai_client=client)


def agent(name=MODEL, key=os.environ["OPENAI_API_KEY"], **options):
    return Agent(OpenRouterModel(name, provider=connect(key)), **options)


def run(of, prompt):
    return asyncio.run(of.run(prompt))


def whole():
    result = run(agent(), question(deltas=3, reasoning=2))
    assert result.output == " tok tok tok", result.output
    assert result.usage.output_tokens == 5, result.usage
    details = result.response.provider_details
    assert details["downstream_provider"] and details["finish_reason"] == "stop", details
    assert details["cost"] > 0, details


def stream():
    async def read():
        async with agent().run_stream(question(deltas=4)) as result:
            texts = [text async for text in result.stream_text(delta=True)]
            return "".join(texts), result.usage, result.response.provider_details

    text, usage, details = asyncio.run(read())
    assert text == " tok" * 4, text
    assert usage.output_tokens == 4, usage
    assert details["downstream_provider"], details


def tools():
    def get_weather(city: str) -> str:
        """The weather of a city."""
        return f"Sunny in {city}."

    # The model of the sandbox calls the first tool, and says what it answered.
    result = run(agent("sandbox/tools", tools=[get_weather]), "What is the weather?")
    assert result.output.startswith("The tool says: Sunny in "), result.output


def structured_output():
    class City(pydantic.BaseModel):
        city: str

    calls = [{"name": "final_result", "arguments": '{"city":"Oslo"}'}]
    result = run(agent(output_type=City), question(toolCalls=calls))
    assert result.output == City(city="Oslo"), result.output


def models():
    async def read():
        return [model.id async for model in connect().client.models.list()]

    assert MODEL in asyncio.run(read())


def broken_stream():
    async def read():
        async with agent().run_stream(question(deltas=5, errorAfterDeltas=2)) as result:
            return [text async for text in result.stream_text(delta=True)]

    error = refused(lambda: asyncio.run(read()), ModelAPIError)
    assert "(502)" in str(error), repr(error)


def errors():
    def fail(**options):
        return refused(lambda: run(agent(**options), question(deltas=1)), ModelHTTPError)

    assert fail(key="sk-wrong").status_code == 401
    assert fail(key=os.environ["POOR_KEY"]).status_code == 402
    error = fail(name="test/none")
    assert error.status_code == 404 and "`test/none`" in str(error.body), error


CASES = [whole, stream, tools, structured_output, models, broken_stream, errors]

if __name__ == "__main__":
    run_cases(CASES)
