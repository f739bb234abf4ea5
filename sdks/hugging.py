"""One request with Hugging Face's client, which there is none of for Go: what
is asked for comes from standard input, what the client made of the answer goes
to standard output."""

import json
import sys

from huggingface_hub import InferenceClient


def generate(client, asked, reply):
    """The prompt is one text; a streamed reply counts its events."""
    prompt, limit = " ".join(asked["said"]), asked["limit"] or None
    if not asked["stream"]:
        got = client.text_generation(prompt, max_new_tokens=limit, details=True)
        reply.update(text=got.generated_text, reason=got.details.finish_reason, output=got.details.generated_tokens)
        return
    for event in client.text_generation(prompt, max_new_tokens=limit, details=True, stream=True):
        reply["text"] += event.token.text
        reply["events"] += 1
        if event.details:
            reply.update(reason=event.details.finish_reason, output=event.details.generated_tokens, input=event.details.input_length)


def embed(client, asked, reply):
    reply["vectors"] = client.feature_extraction(asked["said"]).tolist()


def told(error):
    """What an error tells: its class, and what it keeps of the answer."""
    response = getattr(error, "response", None) or getattr(error.__cause__, "response", None)
    return {
        "error": str(error) or type(error).__name__,
        "kind": type(error).__name__,
        "status": response.status_code if response is not None else 0,
        "retry_after": response.headers.get("Retry-After", "") if response is not None else "",
    }


asked = json.load(sys.stdin)
reply = {"text": "", "events": 0}
headers = {"X-Assay-Fault": asked["fault"]} if asked["fault"] else {}
client = InferenceClient(model=asked["url"], token=asked["key"], headers=headers)
try:
    {"generate": generate, "embed": embed}[asked["what"]](client, asked, reply)
except Exception as error:
    reply.update(told(error))
json.dump(reply, sys.stdout)
