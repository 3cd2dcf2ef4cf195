"""The official packages for Python ask for each operation that they have a call for. The cells come in `CELLS`, the packages of one
virtual environment in `CLIENTS`; prints one JSON line for each client and cell: its `name`, and its `problem` or null."""

import asyncio
import base64
import io
import json
import os
import wave

KEY = os.environ["OPENAI_API_KEY"]
SERVER_URL = os.environ["SERVER_URL"]
TEXTS = ["one text", "another text"]
PNG = base64.b64decode(os.environ["PNG"])


def silence():
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(1)
        writer.setsampwidth(2)
        writer.setframerate(16000)
        writer.writeframes(bytes(2 * 16000 * 3))
    return file.getvalue()


WAV = silence()


def expect(holds, shown):
    if not holds:
        raise AssertionError(repr(shown)[:500])


def lengths(vectors):
    return [len(vector) for vector in vectors] == [256, 256]


def openai_sync(operation, model, voice):
    import openai

    client = openai.OpenAI(max_retries=0)
    check_openai(operation, asked_of_openai(client, operation, model, voice))


def openai_async(operation, model, voice):
    import openai

    async def run():
        async with openai.AsyncOpenAI(max_retries=0) as client:
            return await asked_of_openai(client, operation, model, voice)

    check_openai(operation, asyncio.run(run()))


def asked_of_openai(client, operation, model, voice):
    asks = {
        "images": lambda: client.images.generate(model=model, prompt="a lighthouse"),
        "edits": lambda: client.images.edit(model=model, prompt="a boat", image=("a.png", PNG)),
        "speech": lambda: client.audio.speech.create(
            model=model, voice=voice, input="Hello there.", response_format="pcm"
        ),
        "transcriptions": lambda: client.audio.transcriptions.create(
            model=model, file=("speech.wav", WAV)
        ),
        "translations": lambda: client.audio.translations.create(
            model=model, file=("speech.wav", WAV)
        ),
        "moderations": lambda: client.moderations.create(model=model, input=["a", "forbidden"]),
        "embeddings": lambda: client.embeddings.create(model=model, input=TEXTS),
    }
    return asks[operation]()


def check_openai(operation, answer):
    if operation in ("images", "edits"):
        expect(len(base64.b64decode(answer.data[0].b64_json)) > 50, answer)
        expect(answer.usage.input_tokens_details.image_tokens >= 0, answer)
    elif operation == "speech":
        expect(len(answer.content) > 1000, answer)
    elif operation == "transcriptions":
        expect("3 seconds of audio" in answer.text, answer)
    elif operation == "translations":
        expect(answer.text, answer)
    elif operation == "moderations":
        expect([result.flagged for result in answer.results] == [False, True], answer)
    else:
        expect(lengths(item.embedding for item in answer.data), answer)


def cohere(operation, model, voice):
    import cohere as package

    client = package.ClientV2(api_key=KEY, base_url=SERVER_URL, max_retries=0)
    documents = ["the moon", "dogs and cats", "my dogs"]
    answer = client.rerank(model=model, query="dogs cats", documents=documents, top_n=2)
    expect([result.index for result in answer.results] == [1, 2], answer)


def mistralai(operation, model, voice):
    from mistralai.client import Mistral

    client = Mistral(api_key=KEY, server_url=SERVER_URL)
    if operation == "transcriptions":
        file = {"content": WAV, "file_name": "speech.wav"}
        answer = client.audio.transcriptions.complete(model=model, file=file)
        expect("3 seconds of audio" in answer.text, answer)
    elif operation == "moderations":
        answer = client.classifiers.moderate(model=model, inputs=["a", "forbidden"])
        expect(len(answer.results) == 2, answer)
    else:
        answer = client.embeddings.create(model=model, inputs=TEXTS)
        expect(lengths(item.embedding for item in answer.data), answer)


def google_genai(operation, model, voice):
    from google import genai

    options = {"base_url": SERVER_URL}
    client = genai.Client(api_key=KEY, http_options=options)
    answer = client.models.embed_content(model=model, contents=TEXTS)
    expect(lengths(item.values for item in answer.embeddings), answer)


OPENAI = [
    "images",
    "edits",
    "speech",
    "transcriptions",
    "translations",
    "moderations",
    "embeddings",
]
CLIENTS = {
    "openai (Python)": (openai_sync, OPENAI),
    "openai (async)": (openai_async, OPENAI),
    "cohere (Python)": (cohere, ["rerank"]),
    "mistralai": (mistralai, ["transcriptions", "moderations", "embeddings"]),
    "google-genai (Python)": (google_genai, ["embeddings"]),
}

if __name__ == "__main__":
    for name in json.loads(os.environ["CLIENTS"]):
        ask, served = CLIENTS[name]
        for cell in json.loads(os.environ["CELLS"]):
            if cell["operation"] not in served:
                continue
            problem = None
            try:
                ask(cell["operation"], cell["model"], cell["voice"])
            except BaseException as error:  # A cell that fails must not hide the next one.
                problem = f"{type(error).__name__}: {error}"
            print(json.dumps({"client": name, "cell": cell["name"], "problem": problem}), flush=True)
