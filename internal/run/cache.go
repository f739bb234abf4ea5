package run

// What a prefix cache could know of the prompts that were sent: computed from
// the plan's parts and the records' stamps, never from what the server says,
// which is held against it.

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"slices"
	"sync"

	"assay/internal/contract"
	"assay/internal/observation"
	"assay/internal/record"
	"assay/internal/workload"
)

// A cacheSum adds up what a cache without limit knows of requests.
type cacheSum struct {
	requests, input, known, blocks, whole int64
}

// add counts a prompt of so many tokens, of which the cache knows some; sure
// are those that it was sent, and no reply of its own.
func (s *cacheSum) add(known, sure, length int, whole bool) {
	s.requests++
	s.input += int64(length)
	s.known += int64(workload.Found(known, length))
	s.blocks += int64(workload.FoundInBlocks(sure, length))
	if whole {
		s.whole++
	}
}

// inSessions tells whether the stream's requests are turns of sessions.
func inSessions(w workload.Spec) bool { return w.Sessions != nil || len(w.Agent) > 0 || w.File != "" }

// share tells whether prompts of the workload may begin alike.
func share(w workload.Spec) bool { return w.Prompts != "" || !w.Prefix.IsZero() || inSessions(w) }

// untold tells whether it is not known what a cache could find: pictures that
// come again are no prefix of the words, and of a prompt with pictures it can't
// be said how many of the server's tokens our words are.
func untold(w workload.Spec) bool {
	if w.Images.IsZero() && w.Audio.IsZero() {
		return false
	}
	return w.Images.Pool+w.Audio.Pool > 0 || w.Tokenizer == "" && share(w)
}

// A knower knows what a stream's prompts share. Without sessions talks is nil;
// where prompts share nothing it is all nil.
type knower struct {
	source *workload.Source
	talks  *workload.Talks
	words  bool // words are counted, of which a server makes other numbers of tokens
}

// newKnower reads what it must. Synthetic prompts need no tokenizer for it.
func newKnower(s *contract.Stream, seed uint64, files fs.FS) (*knower, error) {
	w := s.Workload
	k := &knower{words: w.Tokenizer == ""}
	if !share(w) {
		return k, nil
	}
	bare := *s
	if w.Prompts == "" && w.File == "" {
		bare.Workload.Tokenizer = ""
	}
	var err error
	if k.source, err = newSource(&bare, seed, files, os.Getenv); err != nil {
		return nil, err
	}
	if k.source.Filed() && k.source.HasMedia() {
		return nil, errors.New("its pictures and recordings are not known to be found") // as untold has it
	}
	if k.source.HasSessions() {
		k.talks, err = workload.NewTalks(k.source, w, seed, s.Name)
	}
	return k, err
}

// A prompted is what is kept of a record.
type prompted struct {
	at            int64 // when it was sent
	seq           uint64
	url           string
	want          int
	input, output int
	counts        bool // measured, answered, and counted by the server
	session       bool // a turn of one
	later         bool // not the first
}

// prompts are those that were sent, by stream. Of streams whose prompts share
// nothing, which may be millions, there is only a sum.
type prompts struct {
	mu   sync.Mutex
	sums map[string]*cacheSum
	sent map[string][]prompted
	urls map[string]string // each address once, however many records bring it
}

func newPrompts(c *contract.Contract) *prompts {
	p := &prompts{sums: map[string]*cacheSum{}, sent: map[string][]prompted{}, urls: map[string]string{}}
	for i := range c.Streams {
		if !share(c.Streams[i].Workload) {
			p.sums[c.Streams[i].Name] = &cacheSum{}
		}
	}
	return p
}

func (p *prompts) add(r *record.Record) {
	if r.Sent == record.None {
		return
	}
	counts := r.Phase == record.Measured && r.Status == record.OK && r.InputSource == record.FromUsage
	p.mu.Lock()
	defer p.mu.Unlock()
	if sum := p.sums[r.Stream]; sum != nil {
		if counts {
			sum.add(0, 0, r.Input, false)
		}
		return
	}
	url, known := p.urls[r.URL]
	if !known {
		url = r.URL
		p.urls[url] = url
	}
	p.sent[r.Stream] = append(p.sent[r.Stream], prompted{
		at: r.Sent, seq: r.Seq, url: url, session: r.Session != "", want: r.WantInput, input: r.Input, output: r.Output,
		counts: counts, later: r.Turn > 1,
	})
}

// observe says what was to be expected of each stream, one observation each.
// Where that is not known, as when a file can't be read any more, there is none.
func (p *prompts) observe(c *contract.Contract, files fs.FS) []observation.Observation {
	p.mu.Lock()
	defer p.mu.Unlock()
	var list []observation.Observation
	for i := range c.Streams {
		s := &c.Streams[i]
		if untold(s.Workload) {
			continue
		}
		sum, err := p.sumOf(s, c.Seed, files)
		if err != nil {
			continue
		}
		list = append(list, observation.Observation{Kind: observation.KindCache, Cache: &observation.Cache{
			Stream: s.Name, Requests: sum.requests, InputTokens: sum.input,
			Known: sum.known, InBlocks: sum.blocks, Whole: sum.whole,
		}})
	}
	return list
}

// sumOf is what a cache could know of one stream's prompts.
func (p *prompts) sumOf(s *contract.Stream, seed uint64, files fs.FS) (cacheSum, error) {
	if sum := p.sums[s.Name]; sum != nil {
		return *sum, nil
	}
	k, err := newKnower(s, seed, files)
	if err != nil {
		return cacheSum{}, err
	}
	return k.expected(p.sent[s.Name]), nil
}

// expected goes through the prompts in the order in which they were sent, each
// address with a cache of its own.
func (k *knower) expected(sent []prompted) cacheSum {
	slices.SortFunc(sent, func(a, b prompted) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.seq, b.seq)) })
	var sum cacheSum
	var spans []workload.Span
	caches, turns := map[string]*workload.Cache{}, map[uint64]*prompted{}
	for i := range sent {
		r := &sent[i]
		known, sure, whole := 0, 0, false
		switch {
		case r.later:
			sure, known = k.before(r, turns)
		case k.source != nil:
			if caches[r.url] == nil {
				caches[r.url] = &workload.Cache{}
			}
			spans = k.source.Spans(spans[:0], k.number(r))
			hit := caches[r.url].Send(spans, r.want)
			known, whole = k.served(hit.Tokens, r), hit.Whole
			sure = known
		}
		if r.session {
			turns[r.seq] = r
		}
		if r.counts {
			sum.add(known, sure, r.input, whole)
		}
	}
	return sum
}

// number is the request that the source knows: that of a file's session.
func (k *knower) number(r *prompted) uint64 {
	if r.session && k.source.Filed() {
		return record.SessionOf(r.seq)
	}
	return r.seq
}

// served is so many of our tokens of a prompt, as the server counts.
func (k *knower) served(tokens int, r *prompted) int {
	if !k.words || r.want <= 0 {
		return tokens
	}
	return int(int64(tokens) * int64(max(0, r.input)) / int64(r.want))
}

// before is what a later turn begins with and its address knows: the prompt of
// the turn whose history it goes on with, and that with its reply, where it is
// this server's. Some servers keep what they generate, and some do not. Where
// turns are scattered over addresses it is the last one that went to this one.
func (k *knower) before(r *prompted, turns map[uint64]*prompted) (sent, generated int) {
	if k.talks == nil {
		return 0, 0
	}
	n := record.SessionOf(r.seq)
	talk, err := k.talks.Talk(n)
	i := int(r.seq - record.SeqOf(n, 0))
	if err != nil || i >= len(talk.Links) {
		return 0, 0
	}
	for from := talk.Links[i].History; from >= 0; from = talk.Links[from].History {
		earlier := turns[record.SeqOf(n, from)]
		switch {
		case earlier == nil || earlier.url != r.url:
		case talk.Needs()[from]:
			return max(0, earlier.input), max(0, earlier.input) + max(0, earlier.output)
		default:
			return max(0, earlier.input), max(0, earlier.input)
		}
	}
	return 0, 0
}
