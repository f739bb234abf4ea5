// The reference: what each key means, once. The JSON Schema takes its
// descriptions from here and docs/contract.md is this table.

package contract

// An entry is one key of the file.
type entry struct {
	path  string // as Keys has it
	form  string // how a value is written
	usual string // the default, as it is written; "" when there is none
	text  string
}

// reference has an entry for each key, in the order of the types (a test
// compares). The keys of streams[] other than name are those of the top level.
var reference = []entry{
	{"version", "1", "1", "The version of this file's format."},
	{"name", "text", "from the target", "Names the run and its folder: letters, digits, dots, dashes and underscores."},
	{"target", "block", "", "The server, and how it is spoken to. Either `url` or `simulate` must be given."},
	{"target.url", "URL, or a list", "", "The base (http://127.0.0.1:8000) or the full path of the endpoint. Of a list, requests take turns. No user, password or key in it."},
	{"target.simulate", "preset", "", "The embedded server with this preset, instead of `url`; it is started for the run."},
	{"target.simulate_set", "keys and values", "", "Parameters of the preset; `assay simulate --describe` lists them."},
	{"target.path", "path", "that of the endpoint", "Replaces the endpoint's path behind the base of `url`."},
	{"target.endpoint", "name", "chat", "The API that is spoken; `assay endpoints` lists them."},
	{"target.model", "text", "the first of /v1/models", "The model that is asked for."},
	{"target.api_key_env", "variable", "", "The environment variable that holds the API key. The key itself is never written anywhere."},
	{"target.headers", "keys and values", "", "Further headers. ${NAME} stands for an environment variable; a literal secret is refused."},
	{"target.stream", "true or false", "true, where the endpoint can", "Whether the answers are streamed. Without a stream there is only a latency."},
	{"target.body_limit", "field", "the endpoint's current field", "The field of the body that carries the output limit: `max_tokens` for old servers."},
	{"target.extra", "keys and values", "", "Merged into each body: temperature, ignore_eos, min_tokens, … Nothing of the kind is sent unless asked."},
	{"target.ca_file", "file", "the system's", "Certificates that are trusted, PEM."},
	{"target.insecure", "true or false", "false", "Accept any certificate."},
	{"target.idle_limit", "duration", "30s", "A stream that is silent for longer has failed."},
	{"target.request_limit", "duration", "10m", "A request that takes longer has failed."},
	{"slo", "objectives", "ttft p50 < 500ms, itl p99 < 100ms", "What must hold: METRIC[FILTER] [STAT] OP VALUE, as in `ttft p50 < 500ms`, `itl[pos>1024] p99 < 100ms`, `error_rate < 0.1% sure`. Default objectives that the endpoint or the lengths can't have are left out."},
	{"default_slo", "true or false", "false", "Written into the contract of a run whose objectives are the defaults, so that its verdict can say so a year later."},
	{"good", "bounds", "", "Bounds that make one request good: METRIC OP VALUE, as in `ttft < 500ms`. For `goodput` and `good_fraction`."},
	{"traffic", "block", "", "When requests are sent. `rate` (open loop), `concurrency` or `users` (closed loop) must be given."},
	{"traffic.rate", "rate", "", "Requests per second that are due whatever the server does: 40/s, 2400/min, 5/h."},
	{"traffic.arrivals", "name", "poisson", "The shape of the due times: constant, poisson, gamma, weibull, mmpp, flash, ramp, sine, series or trace; [traffic.md](traffic.md) tells what each takes."},
	{"traffic.cv", "number", "", "Coefficient of variation of the gaps of gamma and weibull: above 1 requests come in clusters."},
	{"traffic.shape", "block", "", "What the shape asks for beside `rate` and `cv`. Each takes its own keys and no other."},
	{"traffic.shape.burstiness", "number", "", "gamma, instead of `cv`: 1/cv²."},
	{"traffic.shape.k", "number", "", "weibull, instead of `cv`: the exponent of the law, from 0.2 to 50; below 1 requests come in clusters."},
	{"traffic.shape.peak", "multiple or rate", "", "flash: the rate of the crowd; mmpp: that of the busy state. 10x is ten times `traffic.rate`."},
	{"traffic.shape.on", "duration", "", "mmpp: the mean stay in the busy state."},
	{"traffic.shape.off", "duration", "", "mmpp: the mean stay in the quiet state, whose rate is what makes `traffic.rate` the mean of both."},
	{"traffic.shape.rise", "duration", "0s", "flash: from the base to the peak, in a straight line."},
	{"traffic.shape.hold", "duration", "0s", "flash: at the peak."},
	{"traffic.shape.decay", "duration", "0s", "flash: from the peak back to the base, in a straight line."},
	{"traffic.shape.every", "duration", "", "flash: a crowd comes each time so much has passed since the window's start."},
	{"traffic.shape.at", "durations", "", "flash, instead of `every`: when crowds come, from the window's start: [30s, 2m]."},
	{"traffic.shape.from", "rate", "0/s", "ramp: the rate at the window's start."},
	{"traffic.shape.to", "rate", "0/s", "ramp: the rate at its end, which stays."},
	{"traffic.shape.over", "duration", "the window's `duration`", "ramp: how long it takes."},
	{"traffic.shape.form", "name", "linear (ramp), step (series)", "ramp: linear, exponential or steps. series: step (a rate holds until the next) or linear."},
	{"traffic.shape.steps", "number", "", "ramp of the form steps: how many rates, the first and the last included."},
	{"traffic.shape.period", "duration", "", "sine: one day. At the window's start the rate is `traffic.rate` and rises."},
	{"traffic.shape.amplitude", "fraction", "", "sine: how far the rate leaves `traffic.rate`, as a part of it."},
	{"traffic.shape.file", "file", "", "series, trace: CSV with a line of names, or a JSON object a line."},
	{"traffic.shape.time", "field", "time, timestamp, …", "series, trace: the field with the time. Times count from the first."},
	{"traffic.shape.value", "field", "rate, …", "series: the field with the requests per second."},
	{"traffic.shape.unit", "s, ms, us or ns", "s", "series, trace: of times that are numbers; dates are understood too."},
	{"traffic.shape.speedup", "number", "1", "trace: how many times faster than recorded."},
	{"traffic.shape.start", "duration", "0s", "trace: what is used of it begins here, from its first time on, before `speedup`."},
	{"traffic.shape.end", "duration", "the end", "trace: and ends here."},
	{"traffic.shape.base", "name", "poisson", "Of shapes whose rate changes: the law of the gaps in expected requests. constant makes a metronome that speeds up and slows down; gamma and weibull take their `cv`."},
	{"traffic.concurrency", "number", "", "Requests in flight: each starts when another ends."},
	{"traffic.users", "number", "", "People who read and think, each for himself: his next request comes `think` after the end of his last. They are in their steady state from the start."},
	{"traffic.ramp", "duration", "", "Of `concurrency`: in which its slots open one after another, from the start of the warm-up."},
	{"traffic.think", "pause", "", "Of `users` and of `concurrency`: from the end of a request to the next: 5s, uniform(1s, 9s), normal(5s, 2s), lognormal(5s, 2s) or exponential(5s)."},
	{"traffic.max_in_flight", "number", "", "Ceiling of an open loop: no more requests are under way. What it holds back waits, which `wait` shows; `ttft_due` includes it."},
	{"traffic.max_prefill", "number", "", "Ceiling of an open loop: no more requests are without a first token."},
	{"traffic.cancel", "block", "", "Clients that hang up in the middle of a reply. Such requests are `cancelled`, not failed."},
	{"traffic.cancel.fraction", "fraction", "", "How many of the requests; which, is drawn by the seed."},
	{"traffic.cancel.after", "duration", "", "So long after their release, unless the reply is over by then."},
	{"traffic.cancel.after_tokens", "number", "", "Instead of `after`: when so many tokens have come."},
	{"traffic.duration", "duration", "10m", "The measured window. Warm-up and drain come on top."},
	{"traffic.requests", "number", "", "Measured requests, instead of `duration`."},
	{"traffic.warmup", "duration", "a tenth of `duration`, at most 30s; 0s with `requests`", "Traffic before the window, which goes on into it without a pause."},
	{"traffic.drain", "duration", "1m", "How long requests may go on after the window; what has not ended then is censored."},
	{"workload", "block", "", "What is sent: synthetic prompts of given lengths, or the prompts of a file."},
	{"workload.input_tokens", "length", "normal(550, 150)", "Tokens of each prompt: 550, uniform(100, 200), normal(550, 150) or lognormal(550, 150) (mean and standard deviation), or zipf(1.1, 4000) (exponent and largest)."},
	{"workload.output_tokens", "length", "normal(256, 64)", "The output limit of each request, likewise. A prompt of a file may bring its own."},
	{"workload.lengths", "list of blocks, or a file", "", "Lengths in pairs that stay together, instead of `input_tokens` and `output_tokens`: [{input: 100, output: 20, weight: 3}, …], or a CSV with the columns input_tokens, output_tokens and, if wanted, weight. [prompts.md](prompts.md) has more of it."},
	{"workload.lengths[].input", "number", "", "Tokens of the prompt."},
	{"workload.lengths[].output", "number", "", "The output limit that goes with it."},
	{"workload.lengths[].weight", "number", "1", "How often the pair comes, compared with the others."},
	{"workload.lengths[].file", "file", "", "A CSV with the pairs; `lengths: FILE` is the same."},
	{"workload.prefix", "block", "", "What prompts have in common at their beginning, within `input_tokens`: `shared`, then `pool`, then `user`, then words of their own. [prompts.md](prompts.md) tells what a prefix cache makes of it."},
	{"workload.prefix.shared", "number", "", "Tokens that all prompts begin with: a system prompt."},
	{"workload.prefix.pool", "block", "", "Texts of which each prompt takes one: documents, tools, few-shot examples."},
	{"workload.prefix.pool.count", "number", "", "How many there are."},
	{"workload.prefix.pool.tokens", "number", "", "Tokens of each."},
	{"workload.prefix.pool.law", "uniform, zipf or zipf(1.2)", "uniform", "How often each is taken: alike, or the k-th in proportion to 1/k, to 1/k^1.2."},
	{"workload.prefix.user", "block", "", "Contexts of users, of which each prompt takes one."},
	{"workload.prefix.user.count", "number", "", "How many there are."},
	{"workload.prefix.user.tokens", "number", "", "Tokens of each."},
	{"workload.prefix.user.law", "uniform, zipf or zipf(1.2)", "uniform", "How often each is taken."},
	{"workload.prompts", "file", "", "A JSONL file with `text` or `messages` and, optionally, `output_tokens` a line; instead of `input_tokens`."},
	{"workload.order", "sampled or sequential", "sampled; of `file` sequential, unless its format is random_pool", "How prompts are taken from the file."},
	{"workload.file", "file", "", "A file of requests that some other program wrote, read as it is; instead of `input_tokens`. [workloads.md](workloads.md) has the formats; `assay workload inspect` shows what is in one. With `traffic.arrivals: trace` and no file there, requests are due when this file says."},
	{"workload.format", "name", "found by content", "The format of `file`."},
	{"workload.block", "number", "as the format has it", "How many tokens a hash block of `file` has."},
	{"workload.strict", "true or false", "false", "A line of `file` that can't be used ends everything. Otherwise it is left out, counted and told."},
	{"workload.tokenizer", "words, model, path or name", "words", "What counts the tokens of prompts: the built-in words, or a model's tokenizer, with which a prompt of 550 tokens has exactly 550. A path of a tokenizer.json or of its folder, the name of a model in the Hugging Face cache of this machine, or `model` for that of `target.model`. Nothing is fetched."},
	{"workload.template_tokens", "number", "measured before the start", "With a tokenizer: what the server adds to each prompt, a chat's template or a mark of the beginning. Synthetic prompts are made shorter by it, so that `input_tokens` is what the server counts. Without it the preflight measures it by requests of different lengths. 0 leaves the prompts as they are."},
	{"workload.sessions", "block", "", "Conversations: a request that is due begins one, and each later turn is sent `think` after the reply before it, with the history. [sessions.md](sessions.md) tells how they are counted."},
	{"workload.sessions.turns", "number or law", "", "Requests of a session: 3, uniform(2, 6), normal(5, 2) or lognormal(5, 2); 1 to 1000."},
	{"workload.sessions.think", "pause", "none", "From the end of a reply to the next turn: 2s, uniform(1s, 9s), normal(5s, 2s), lognormal(5s, 2s) or exponential(5s)."},
	{"workload.sessions.input_tokens", "length", "`workload.input_tokens`", "Tokens that each later turn adds; the first has those of `workload.input_tokens`."},
	{"workload.sessions.history", "live or recorded", "live; of a file recorded, where it has replies", "What the history has as replies: what this server answered, or the file's (of synthetic sessions, words of the length that was asked for)."},
	{"workload.agent", "list of blocks", "", "An agent: calls in a tree, instead of `sessions`. A request that is due is its first call."},
	{"workload.agent[].name", "text", "", "Names the call for those after it."},
	{"workload.agent[].after", "name, or a list", "", "The calls that must have ended well; of the first none. Their replies are put into its request, as results of tools are."},
	{"workload.agent[].history", "name or none", "the first of `after`", "The call whose conversation it goes on with; none begins one."},
	{"workload.agent[].role", "text", "", "The part it plays in records and results; `verifier` is counted apart."},
	{"workload.agent[].copies", "number", "1", "How many of it run side by side: best of n, or workers."},
	{"workload.agent[].wait", "pause", "none", "From the end of the calls before: what a tool takes."},
	{"workload.agent[].input_tokens", "length", "`workload.input_tokens`", "Tokens of its own, beside history and results."},
	{"workload.agent[].output_tokens", "length", "`workload.output_tokens`", "Its output limit."},
	{"workload.cache", "salted or natural", "salted", "natural: synthetic prompts have the same words in every run, as if traffic came back to a warm server; reports say so. The prompts of a file are sent as they are in any case."},
	{"workload.salt", "text", "drawn for each run", "Changes the words of synthetic prompts and no length, so that a server's prefix cache is cold. Not part of the contract's digest."},
	{"streams", "list of blocks", "", "Mixed traffic: each with its own name, target, slo, good, traffic and workload. What a stream leaves out of `target`, and of duration, warmup and drain, comes from the top level. All streams share one window."},
	{"streams[].name", "text", "", "The name of the stream in records and results."},
	{"client", "block", "", "The instrument: how many processes, and the limits of its own receipts. A report shows each limit that differs from its default."},
	{"client.processes", "number", "8", "Worker processes to begin with: a run that they limit is repeated with twice as many. With fewer than 8 the verdict is no capacity claim."},
	{"client.max_processes", "number", "64, or `processes` where that is more", "To how many processes the fleet may grow."},
	{"client.threads", "number", "cores ÷ processes, at least 1", "How many threads of each process may run at once. With 1 a process is what the usual client is: one thread, however many cores there are."},
	{"client.proof", "doubling", "", "After a valid run the same traffic again with twice the processes: where that moves the request rate, TTFT or ITL, the run was limited by the client and is invalid. Where it holds, fewer than 8 processes are a capacity claim too."},
	{"client.max_cpu", "fraction", "70%", "Receipt `cpu`: the 95th percentile of seconds, of any worker."},
	{"client.max_cpu_second", "fraction", "90%", "Receipt `cpu`: any one second."},
	{"client.max_machine_cpu", "fraction", "85%", "Receipt `machine_cpu`: the busy share of the cores that may be used."},
	{"client.max_send_lag", "duration", "2% of the tightest TTFT objective, from 1ms to 5ms", "Receipt `send_lag`: the 99th percentile of the client's own delay of a request."},
	{"client.max_coalesced", "fraction", "1%", "Receipt `coalesced`: events that share a late read with a later one."},
	{"client.min_delivered", "fraction", "99.9%", "Receipt `delivered`: requests sent of those due."},
	{"server", "free form", "", "Whatever tells the server apart: GPU, quantization, version. Kept beside the numbers."},
	{"cost", "block", "", "What the server costs."},
	{"cost.per_hour", "number", "", "Money per hour."},
	{"cost.currency", "text", "", "The currency of `per_hour`: USD, EUR or another."},
	{"seed", "number", "1", "Of every random draw: the same contract and seed give the same schedule and the same requests."},
}

// entryFor finds the entry of a key; the keys of a stream are those of the top level.
func entryFor(path string) (entry, bool) {
	for _, e := range reference {
		if e.path == path {
			return e, true
		}
	}
	const stream = "streams[]."
	if len(path) > len(stream) && path[:len(stream)] == stream {
		return entryFor(path[len(stream):])
	}
	return entry{}, false
}
