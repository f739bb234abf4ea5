"""A model of random words: max_tokens of them, 5 ms apart, each a response of its own."""

import random
import time

import numpy
import triton_python_backend_utils as triton

WORDS = [a + b for a in "bcdfghklmnprstvw" for b in "aeiou"]


class TritonPythonModel:
    def execute(self, requests):
        for request in requests:
            sender = request.get_response_sender()
            limit = triton.get_input_tensor_by_name(request, "max_tokens")
            for _ in range(16 if limit is None else int(limit.as_numpy()[0])):
                time.sleep(0.005)
                word = numpy.array([random.choice(WORDS) + " "], dtype=object)
                sender.send(triton.InferenceResponse([triton.Tensor("text_output", word)]))
            sender.send(flags=triton.TRITONSERVER_RESPONSE_COMPLETE_FINAL)
