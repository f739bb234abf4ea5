package sim

import (
	"errors"
	"fmt"
	"slices"
)

// Where figures come from.
const (
	dataSheet = "NVIDIA H100 data sheet, SXM"
	model8b   = "Llama 3.1 8B, model card and config.json"
	model70b  = "Llama 3.1 70B, model card and config.json"
	vllm      = "vLLM default"
	choice    = "a modelling choice"
)

// engineParams are those of every preset with the batching engine, as they are
// for one H100 and an 8B model at 16 bits.
var engineParams = []Param{
	{"params_m", Count, "8030", "parameters of the model, in millions", model8b},
	{"layers", Count, "32", "layers", model8b},
	{"hidden", Count, "4096", "width of a token's activations", model8b},
	{"heads", Count, "32", "attention heads", model8b},
	{"kv_heads", Count, "8", "key and value heads", model8b},
	{"head_dim", Count, "128", "width of a head", model8b},
	{"max_model_len", Count, "131072", "most tokens of a prompt and its reply", model8b},

	{"gpus", Count, "1", "GPUs that share each layer (tensor parallelism)", ""},
	{"memory_gb", Number, "80", "memory of a GPU", dataSheet},
	{"bandwidth_tbs", Number, "3.35", "memory bandwidth of a GPU, TB/s", dataSheet},
	{"tflops", Number, "989.4", "dense operations of a GPU at 16 bits, 10^12/s; twice as many at 8", dataSheet + ": half of the figure with sparsity"},
	{"link_gbs", Number, "450", "between GPUs one way, GB/s", dataSheet + ": NVLink 900 GB/s both ways"},
	{"bandwidth_use", Share, "0.85", "part of the bandwidth that is reached", choice},
	{"compute_use", Share, "0.65", "part of the operations that is reached", choice},
	{"allreduce_peer", Duration, "11us", "start of an all-reduce for each other GPU", "fitted to vLLM's public benchmark (Buildkite performance-benchmark build 9515: 70B on 4 H200, batch 8, 16.2 ms a token)"},
	{"overhead", Duration, "2.5ms", "host and launch time of an iteration", "fitted to the same benchmark (8B on 1 H200, batch 8, 6.5 ms a token)"},
	{"overhead_sequence", Duration, "5us", "host time of an iteration for each sequence", choice},

	{"weight_bits", Count, "16", "bits of a weight: 4, 8 or 16", ""},
	{"kv_bits", Count, "16", "bits of a value in the KV cache: 4, 8 or 16", ""},
	{"compute_bits", Count, "16", "bits of the dense arithmetic: 8 or 16", ""},

	{"max_num_seqs", Count, "1024", "most sequences in an iteration", vllm + " of its API server on an H100"},
	{"max_num_batched_tokens", Count, "8192", "most tokens in an iteration", vllm + " of its API server on an H100"},
	{"chunked_prefill", Switch, "on", "a prompt may be cut over several iterations; off: it waits until it fits, or goes alone", vllm},
	{"prefix_cache", Switch, "on", "blocks of prompts are found again; those of replies are not kept", vllm},
	{"block_size", Count, "16", "tokens of a KV block", vllm},
	{"gpu_memory_utilization", Share, "0.9", "part of the memory that is used", vllm},
	{"workspace_gb", Number, "2", "of that, a GPU's activations and graphs", choice},
	{"kv_blocks", Whole, "0", "KV blocks; 0: what weights and workspace leave", ""},

	{"draft_tokens", Whole, "0", "tokens drafted for each decoding sequence (speculative decoding)", vllm},
	{"draft_acceptance", Share, "0.7", "share of drafted tokens accepted, given that those before were", choice},
	{"draft_params_m", Whole, "0", "parameters of the draft model, in millions; 0: drafts cost nothing", choice},

	{"tail_share", Share, "0", "share of tokens at which a long reply is held up", choice},
	{"tail_position", Whole, "1024", "from which position on", choice},
	{"tail_hold", Count, "7", "for how many iterations", choice},
	outputTokens, templateTokens, imageTokens, audioTokens, masterSeed,
}

// batchingPreset is a preset of the batching engine, with other defaults where
// it departs from engineParams.
func batchingPreset(name, about string, others ...Param) Preset {
	params := slices.Clone(engineParams)
	for _, o := range others {
		for i := range params {
			if params[i].Name == o.Name {
				params[i].Default, params[i].Source = o.Default, o.Source
			}
		}
	}
	return Preset{Name: name, About: about, Params: params, build: newBatching, check: checkBatching, facts: batchingFacts, bounds: batchingBounds}
}

var h100x8b = batchingPreset("h100-8b", "an 8B model at 16 bits on one H100, in an engine that schedules as vLLM does")

// The point of this preset is two configurations that no throughput tells
// apart, so it saves no time: what FP8 weights would save is taken to be spent
// on bringing them back to 16 bits.
var h100x8bTails = batchingPreset("h100-8b-fp8-tails",
	"h100-8b, quantized, with tails: past position 1024 a token in forty is held back, and leaves in one event with those of the next 7 iterations. "+
		"Computing is as fast as h100-8b's and goes on meanwhile, so throughput, mean and time per output token are the same; only gaps late in long replies grow. "+
		"It keeps 16 bits in every size, as if converting spent what 8 would save. "+
		"It stands for whatever holds the output of long sequences up (rescaling, a slow detokenizer); it claims nothing of a real FP8 engine",
	Param{Name: "tail_share", Default: "0.025", Source: choice})

var model70bParams = []Param{
	{Name: "params_m", Default: "70550", Source: model70b}, {Name: "layers", Default: "80", Source: model70b},
	{Name: "hidden", Default: "8192", Source: model70b}, {Name: "heads", Default: "64", Source: model70b},
	{Name: "kv_heads", Default: "8", Source: model70b}, {Name: "head_dim", Default: "128", Source: model70b},
	{Name: "max_model_len", Default: "131072", Source: model70b},
}

var (
	tp4 = batchingPreset("tp4", "a 70B model at 16 bits over four H100", slices.Concat(tensorParallel, []Param{{Name: "gpus", Default: "4"}})...)
	tp8 = batchingPreset("tp8", "tp4 over eight H100 and otherwise the same: some 30 % more throughput for twice the GPUs on the default workload, since all-reduces and the host do not get faster",
		slices.Concat(tensorParallel, []Param{{Name: "gpus", Default: "8"}})...)
	tensorParallel = slices.Concat(model70bParams, []Param{{Name: "max_num_seqs", Default: "224", Source: choice + ": a limit that leaves the larger one no larger batches"}})
)

func checkBatching(v values) error {
	for _, name := range []string{"weight_bits", "kv_bits", "compute_bits"} {
		if n := v.count(name); n != 8 && n != 16 && (n != 4 || name == "compute_bits") {
			return fmt.Errorf("%s is %d", name, n)
		}
	}
	if kvBlocks(v) < 1 {
		return errors.New("the weights leave no memory for the KV cache: more gpus, or fewer weight_bits")
	}
	if v.number("bandwidth_use") == 0 || v.number("compute_use") == 0 {
		return errors.New("bandwidth_use and compute_use must be above 0")
	}
	return nil
}

func batchingBounds(v values) (block, tokens int) {
	if v.on("prefix_cache") {
		block = v.count("block_size")
	}
	return block, min(v.count("max_model_len"), kvBlocks(v)*v.count("block_size"))
}

// batchingFacts are what the parameters come to, so that nobody has to work
// it out.
func batchingFacts(v values) []string {
	m, blocks := newMachine(v), kvBlocks(v)
	at := func(sequences, take, computed int) string {
		var l load
		for range sequences {
			l.add(computed, take)
		}
		return fmt.Sprintf("%.1f ms", float64(m.length(l))/1e6)
	}
	return []string{
		lengthInWords,
		fmt.Sprintf("decoding 1 sequence with 700 tokens of context: %s; 64: %s; 256: %s; prefill of 550 tokens: %s", at(1, 1, 700), at(64, 1, 700), at(256, 1, 700), at(1, 550, 0)),
		fmt.Sprintf("KV cache: %d blocks, %d tokens", blocks, blocks*v.count("block_size")),
	}
}
