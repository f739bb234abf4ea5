"""Starts llama.cpp's server in this process, as `llama-server` would."""

import sys
import threading

import xllamacpp

settings = xllamacpp.CommonParams()
settings.model.path = sys.argv[1]
settings.model_alias = {"tiny"}
settings.port = int(sys.argv[2])
settings.n_parallel = 4
settings.n_ctx = 16384
settings.cpuparams.n_threads = 1
settings.cpuparams_batch.n_threads = 1
settings.endpoint_metrics = True
settings.fit_params = False
if sys.argv[3:] == ["embedding"]:
    settings.embedding = True
    settings.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
server = xllamacpp.Server(settings)
threading.Event().wait()
