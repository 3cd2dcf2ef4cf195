"""Cohere's official Python package against the running server: rankings at both base URLs, from both of its clients, and errors."""

import asyncio
import os

import cohere

from python_cases import refused, run_cases

URL = os.environ["SERVER_URL"]
KEY = os.environ["OPENAI_API_KEY"]
ASKED = {
    "model": "test/rerank",
    "query": "dogs cats",
    "documents": ["the moon", "dogs and cats", "my dogs"],
    "top_n": 2,
}


def connect(key=KEY, url=URL, client=cohere.ClientV2):
    return client(api_key=key, base_url=url, max_retries=0)


def check(answer):
    assert [result.index for result in answer.results] == [1, 2], answer
    assert answer.meta.billed_units.search_units == 1, answer


def rerank():
    check(connect().rerank(**ASKED))
    check(connect(url=os.environ["OPENAI_BASE_URL"]).rerank(**ASKED))


def first_version():
    client = cohere.Client(api_key=KEY, base_url=URL)
    check(client.rerank(**ASKED))


def rerank_async():
    async def run():
        async with connect(client=cohere.AsyncClientV2) as client:
            return await client.rerank(**ASKED)

    check(asyncio.run(run()))


def errors():
    error = refused(lambda: connect("sk-wrong").rerank(**ASKED), cohere.core.ApiError)
    assert error.status_code == 401, error
    poor = connect(os.environ["POOR_KEY"])
    error = refused(lambda: poor.rerank(**ASKED), cohere.core.ApiError)
    assert error.status_code == 402, error
    error = refused(lambda: connect().rerank(**{**ASKED, "model": "test/none"}), cohere.NotFoundError)
    assert error.status_code == 404, error


CASES = [rerank, first_version, rerank_async, errors]

if __name__ == "__main__":
    run_cases(CASES)
