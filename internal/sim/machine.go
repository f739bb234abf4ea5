package sim

import "math"

// A machine is model and hardware: it says how long an iteration lasts, as a
// function of what is in the batch and of nothing else. It is a roofline: the
// dense layers and the attention each take what the slower of memory and
// arithmetic needs, one after the other.
type machine struct {
	weights     float64 // bytes, read once an iteration
	token       float64 // operations of the dense layers for a token
	kvToken     float64 // bytes of KV cache a token
	pair        float64 // operations of the attention for one token looking at one other
	bandwidth   float64 // bytes/s of all GPUs, as much of it as is reached
	compute     float64 // operations/s likewise
	reduces     float64 // all-reduces an iteration; 0 on one GPU
	reduceStart float64 // s for each, however small
	reduceToken float64 // s for each and token
	overhead    float64 // s an iteration
	perSequence float64 // s for each sequence in the batch
	draft       float64 // bytes of the draft model's weights, read once a drafted token
	drafts      int     // tokens drafted for each decoding sequence
}

// A load is what is in a batch.
type load struct {
	sequences int
	tokens    int     // computed, prefill and decode
	context   float64 // tokens of KV cache that are read
	pairs     float64 // pairs of tokens that the attention multiplies
	drafting  bool
}

// add puts a sequence with `computed` tokens in the cache and `take` more to
// compute into the load.
func (l *load) add(computed, take int) {
	c, n := float64(computed), float64(take)
	l.sequences++
	l.tokens += take
	l.context += c + n
	l.pairs += n*c + n*(n+1)/2
}

// length is the length of an iteration in ns.
func (m *machine) length(l load) int64 {
	n := float64(l.tokens)
	dense := max(m.weights/m.bandwidth, n*m.token/m.compute)
	attention := max(l.context*m.kvToken/m.bandwidth, l.pairs*m.pair/m.compute)
	reduce := m.reduces * (m.reduceStart + n*m.reduceToken)
	draft := 0.0
	if l.drafting {
		draft = float64(m.drafts) * m.draft / m.bandwidth
	}
	host := m.overhead + float64(l.sequences)*m.perSequence
	return int64(math.Round((dense + attention + reduce + draft + host) * 1e9))
}

// lengthInWords is the function above for people.
const lengthInWords = "an iteration lasts max(weight bytes / bandwidth, 2 × parameters × tokens / compute)" +
	" + max(KV bytes read / bandwidth, attention operations / compute)" +
	" + 2 × layers × (allreduce_peer × (gpus - 1) + bytes moved / link) + overhead + sequences × overhead_sequence" +
	" (+ draft_tokens × draft weights / bandwidth)"

// newMachine works the parameters out.
func newMachine(v values) machine {
	gpus, layers := v.number("gpus"), v.number("layers")
	m := machine{
		weights:     v.number("params_m") * 1e6 * v.number("weight_bits") / 8,
		token:       2 * v.number("params_m") * 1e6,
		kvToken:     2 * layers * v.number("kv_heads") * v.number("head_dim") * v.number("kv_bits") / 8,
		pair:        4 * layers * v.number("heads") * v.number("head_dim"),
		bandwidth:   gpus * v.number("bandwidth_tbs") * 1e12 * v.number("bandwidth_use"),
		compute:     gpus * v.number("tflops") * 1e12 * 16 / v.number("compute_bits") * v.number("compute_use"),
		overhead:    v.number("overhead") / 1e9,
		perSequence: v.number("overhead_sequence") / 1e9,
		draft:       v.number("draft_params_m") * 1e6 * v.number("weight_bits") / 8,
		drafts:      v.count("draft_tokens"),
	}
	if gpus > 1 {
		// Each layer reduces twice, after the attention and after the MLP; a GPU
		// sends and receives 2(n-1)/n of a token's 16-bit activations.
		m.reduces = 2 * layers
		m.reduceStart = v.number("allreduce_peer") / 1e9 * (gpus - 1)
		m.reduceToken = v.number("hidden") * 2 * 2 * (gpus - 1) / gpus / (v.number("link_gbs") * 1e9)
	}
	return m
}

// kvBlocks is how many blocks of KV cache there are: as many as were asked
// for, or what the weights and the workspace leave of the memory.
func kvBlocks(v values) int {
	if n := v.count("kv_blocks"); n > 0 {
		return n
	}
	m := newMachine(v)
	gpus := v.number("gpus")
	free := gpus*1e9*(v.number("memory_gb")*v.number("gpu_memory_utilization")-v.number("workspace_gb")) -
		m.weights - v.number("draft_params_m")*1e6*v.number("weight_bits")/8
	return max(0, int(free/(m.kvToken*v.number("block_size"))))
}
