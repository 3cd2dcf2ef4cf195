"""OpenAI's own agents SDK against the running server: what it keeps on the server is continued, also in a stream and in a session."""

import asyncio
import functools

from agents import (
    Agent,
    OpenAIConversationsSession,
    OpenAIProvider,
    RunConfig,
    Runner,
    function_tool,
    set_tracing_disabled,
)
from openai import AsyncOpenAI

from python_cases import question, run_cases

set_tracing_disabled(True)

@function_tool
def get_weather(city: str) -> str:
    """The weather of a city."""
    return "sunny in " + city


AGENT = Agent(name="Ada", instructions="Be short.", model="test/cheap", tools=[get_weather])


def in_loop(case):
    """Each case with clients of its own: their connections belong to one event loop."""

    @functools.wraps(case)
    def run():
        # Otherwise it takes what stands before the slash of a model for the name of a provider of its own.
        provider = OpenAIProvider(openai_client=AsyncOpenAI())
        asyncio.run(case(RunConfig(model_provider=provider)))

    return run


@in_loop
async def turns(config):
    first = await Runner.run(AGENT, question(deltas=3), run_config=config)
    assert first.final_output == " tok tok tok", first
    second = await Runner.run(
        AGENT, question(deltas=2), run_config=config, previous_response_id=first.last_response_id
    )
    assert second.final_output == " tok tok", second
    used = [turn.raw_responses[0].usage.input_tokens for turn in (first, second)]
    assert used[1] > used[0], used


@in_loop
async def stream(config):
    first = await Runner.run(AGENT, question(deltas=1), run_config=config)
    streamed = Runner.run_streamed(
        AGENT, question(deltas=5), run_config=config, previous_response_id=first.last_response_id
    )
    kinds = [event.type async for event in streamed.stream_events()]
    assert streamed.final_output == " tok" * 5, streamed.final_output
    assert "raw_response_event" in kinds, kinds


@in_loop
async def session(config):
    kept = OpenAIConversationsSession(openai_client=AsyncOpenAI())
    for deltas in (2, 4):
        await Runner.run(AGENT, question(deltas=deltas), run_config=config, session=kept)
    roles = [item.get("role") for item in await kept.get_items()]
    assert roles == ["user", "assistant"] * 2, roles


CASES = [turns, stream, session]

if __name__ == "__main__":
    run_cases(CASES)
