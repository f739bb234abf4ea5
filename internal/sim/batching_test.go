package sim

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// checkInvariants is what holds after every step of a batching engine.
func checkInvariants(t *testing.T, e *batching) {
	t.Helper()
	held := make([]int32, len(e.pool.blocks))
	for _, s := range e.live {
		if s.running != slices.Contains(e.running, s) || s.running == slices.Contains(e.waiting, s) {
			t.Fatalf("sequence %d is in the wrong queue, or in two", s.id)
		}
		if !s.running && len(s.blocks) > 0 {
			t.Fatalf("sequence %d waits and holds %d blocks", s.id, len(s.blocks))
		}
		if s.running && len(s.blocks) < e.pool.need(s.computed+s.take) || s.computed > s.known() || s.made > s.output {
			t.Fatalf("sequence %+v has the wrong number of blocks or tokens", s)
		}
		for _, id := range s.blocks {
			held[id]++
		}
	}
	if len(e.live) != len(e.running)+len(e.waiting) || len(e.running) > e.sequences {
		t.Fatalf("%d live, %d running, %d waiting", len(e.live), len(e.running), len(e.waiting))
	}
	free, previous := 0, none
	for id := e.pool.oldest; id != none; id = e.pool.blocks[id].younger {
		if held[id] != 0 || e.pool.blocks[id].older != previous {
			t.Fatalf("block %d is free, held by %d, after %d", id, held[id], e.pool.blocks[id].older)
		}
		free, previous = free+1, id
	}
	for id, b := range e.pool.blocks {
		if b.holders != held[id] {
			t.Fatalf("block %d counts %d holders and has %d", id, b.holders, held[id])
		}
		if cached, ok := e.pool.cached[b.hash]; b.hashed && (!ok || cached != int32(id)) {
			t.Fatalf("block %d can't be found", id)
		}
	}
	if free != e.pool.free || free+e.pool.used() != len(e.pool.blocks) {
		t.Fatalf("%d blocks are free, %d counted", free, e.pool.free)
	}
	tokens, sequences := 0, 0
	for _, s := range e.batch {
		tokens, sequences = tokens+s.take, sequences+1
	}
	if tokens > e.tokens || sequences > e.sequences {
		t.Fatalf("an iteration has %d tokens and %d sequences", tokens, sequences)
	}
}

// shared are hashes of a prompt whose first `common` blocks belong to a group.
func shared(r *rand.Rand, input, common int) (hashes []uint64) {
	group := r.Uint64N(4)
	for i := range input / 16 {
		if i < common {
			hashes = append(hashes, group<<32|uint64(i))
		} else {
			hashes = append(hashes, r.Uint64())
		}
	}
	return hashes
}

// Random traffic, with everything on, on a cache that is too small for it.
func TestTokensAndBlocksAreConserved(t *testing.T) {
	sets := []map[string]string{
		{"kv_blocks": "300"},
		{"kv_blocks": "300", "draft_tokens": "4"},
		{"kv_blocks": "300", "prefix_cache": "off", "max_num_seqs": "7"},
		{"kv_blocks": "300", "max_num_batched_tokens": "64", "tail_share": "0.1", "tail_position": "20"},
		{},
	}
	for n, set := range sets {
		e := engine(t, "h100-8b", set).(*batching)
		r, tr := rand.New(rand.NewPCG(5, uint64(n))), newTrace()
		want, left := map[uint64]int{}, map[uint64]bool{}
		for id := uint64(1); id <= 400; id++ {
			at := int64(id) * 15_000_000
			for e.Next() <= at {
				before := e.preempted
				e.Advance(e.Next(), tr.emit)
				checkInvariants(t, e)
				if e.preempted > before && (len(e.waiting) == 0 || !e.waiting[0].started) {
					t.Fatalf("%v: what a preemption freed went to a newcomer", set)
				}
			}
			q := Request{ID: id, Input: 1 + r.IntN(900), Output: 1 + r.IntN(200)}
			q.Hashes = shared(r, q.Input, 20)
			want[id] = q.Output
			e.Admit(at, q, tr.emit)
			if gone := id - min(id, r.Uint64N(40)); r.IntN(20) == 0 && !tr.ended[gone] && want[gone] > 0 {
				e.Cancel(at, gone)
				left[gone] = true
			}
			checkInvariants(t, e)
		}
		for e.Next() != Never {
			e.Advance(e.Next(), tr.emit)
		}
		checkInvariants(t, e)
		for id, tokens := range want {
			if !left[id] && (tr.tokens[id] != tokens || !tr.ended[id]) {
				t.Errorf("%v: request %d has %d tokens, want %d", set, id, tr.tokens[id], tokens)
			}
		}
		st := e.Stats()
		if st.Running+st.Waiting+st.Used != 0 {
			t.Errorf("%v: at the end there is %+v", set, st)
		}
		if small := set["kv_blocks"] != ""; small && st.Preempted == 0 && n != 2 && n != 3 {
			t.Errorf("%v: nothing was preempted, so the test tested nothing", set)
		}
		if set["prefix_cache"] != "off" && st.Hit == 0 {
			t.Errorf("%v: no prefix was found", set)
		}
	}
}

func TestAPreemptedSequenceComputesAgainAndLosesNothing(t *testing.T) {
	// Two sequences of 64 + 64 tokens need 16 blocks at the end; there are 12.
	e := engine(t, "h100-8b", map[string]string{"kv_blocks": "12", "prefix_cache": "off"}).(*batching)
	tr := newTrace()
	for id := range uint64(2) {
		e.Admit(int64(id), Request{ID: id, Input: 64, Output: 64}, tr.emit)
	}
	for e.Next() != Never {
		e.Advance(e.Next(), tr.emit)
	}
	if e.Stats().Preempted != 1 || tr.tokens[0] != 64 || tr.tokens[1] != 64 {
		t.Errorf("%d preemptions, %d and %d tokens, want 1, 64 and 64", e.Stats().Preempted, tr.tokens[0], tr.tokens[1])
	}
	if tr.last[0] >= tr.last[1] {
		t.Error("the one that came first ends last")
	}
	// Request 1 fell silent until request 0 had gone.
	longest := slices.MaxFunc(tr.gaps, func(a, b gap) int { return int(a.ns - b.ns) })
	if longest.at < tr.last[0] || longest.ns < 20*8_000_000 {
		t.Errorf("the longest gap is %d ns and ends at %d, want the preemption's, past %d", longest.ns, longest.at, tr.last[0])
	}
}

func TestNobodyStarvesAndFirstComeIsFirstServed(t *testing.T) {
	e := engine(t, "h100-8b", map[string]string{"kv_blocks": "600"}).(*batching)
	began := map[uint64]int64{}
	tr := newTrace()
	emit := func(em Emission) {
		if _, later := tr.first[em.ID]; !later {
			began[em.ID] = em.Began
		}
		tr.emit(em)
	}
	r := rand.New(rand.NewPCG(7, 8))
	for id := range uint64(600) {
		e.Admit(int64(id)*5_000_000, Request{ID: id, Input: 1 + r.IntN(2000), Output: 1 + r.IntN(300)}, emit)
	}
	for e.Next() != Never {
		e.Advance(e.Next(), emit)
	}
	for id := range uint64(600) {
		if !tr.ended[id] {
			t.Fatalf("request %d never ends", id)
		}
		if id > 0 && began[id] < began[id-1] {
			t.Errorf("request %d began at %d, before the one that came earlier at %d", id, began[id], began[id-1])
		}
	}
}

func TestAPromptThatWasSeenIsFound(t *testing.T) {
	e := engine(t, "h100-8b", nil)
	var got []Emission
	hashes := []uint64{1, 2, 3, 4}
	for id, h := range [][]uint64{hashes, hashes, {1, 2, 9, 4}, {8, 2, 3, 4}} {
		var one []Emission
		e.Admit(int64(id)*second, Request{ID: uint64(id), Input: 64, Output: 2, Hashes: h}, collect(&one))
		drive(e, &one)
		got = append(got, one[0])
	}
	// Of 64 tokens three blocks at most: the last token has to be computed.
	for id, want := range []int{0, 48, 32, 0} {
		if got[id].Cached != want {
			t.Errorf("request %d finds %d tokens, want %d", id, got[id].Cached, want)
		}
	}
	if st := e.Stats(); st.Asked != 4*64 || st.Hit != 80 {
		t.Errorf("asked %d, found %d, want 256 and 80", st.Asked, st.Hit)
	}
}

func TestTheCacheForgetsWhatWasUnusedForLongest(t *testing.T) {
	p := newPool(4, 16)
	hold := func(hash uint64) {
		found, _ := p.find([]uint64{hash})
		if p.share(found); found == nil {
			found, _ = p.grow(nil, 16)
			p.remember(found[0], hash)
		}
		p.release(found)
	}
	for _, hash := range []uint64{1, 2, 3, 4, 1, 5} {
		hold(hash)
	}
	for hash, want := range map[uint64]bool{1: true, 2: false, 3: true, 4: true, 5: true} {
		if found, _ := p.find([]uint64{hash}); (found != nil) != want {
			t.Errorf("block %d: kept is %t, want %t", hash, found != nil, want)
		}
	}
	if p.evicts != 1 {
		t.Errorf("%d evictions, want 1", p.evicts)
	}
	// Of a prompt that is given back, the end goes first.
	p = newPool(3, 16)
	held, _ := p.grow(nil, 48)
	for i, id := range held {
		p.remember(id, uint64(i))
	}
	p.release(held)
	p.grow(nil, 32)
	if found, _ := p.find([]uint64{0, 1, 2}); len(found) != 1 {
		t.Errorf("%d blocks of the prompt's beginning are left, want 1", len(found))
	}
}

func TestALongPromptIsCutAndOthersGoOn(t *testing.T) {
	e := engine(t, "h100-8b", nil)
	tr := newTrace()
	e.Admit(0, Request{ID: 1, Input: 10, Output: 500}, tr.emit)
	e.Admit(second/2, Request{ID: 2, Input: 20_000, Output: 1}, tr.emit)
	for e.Next() != Never {
		e.Advance(e.Next(), tr.emit)
	}
	// 20,000 tokens are three iterations of at most 8,192, less the neighbour's one.
	slow := 0
	for _, g := range tr.gaps {
		if g.ns > 100_000_000 {
			slow++
		}
	}
	if slow != 3 {
		t.Errorf("%d gaps of the other are slow, want the 3 of the chunks", slow)
	}
	// Uncut, the prompt is one iteration, and the other's gap is as long.
	e, whole := engine(t, "h100-8b", map[string]string{"chunked_prefill": "off"}), newTrace()
	e.Admit(0, Request{ID: 1, Input: 10, Output: 500}, whole.emit)
	e.Admit(second/2, Request{ID: 2, Input: 8_000, Output: 1}, whole.emit)
	e.Admit(second/2, Request{ID: 3, Input: 20_000, Output: 1}, whole.emit)
	for e.Next() != Never {
		e.Advance(e.Next(), whole.emit)
	}
	if whole.first[3] < whole.last[1] {
		t.Error("a prompt that does not fit is taken though others run")
	}
	if g := slices.MaxFunc(whole.gaps, func(a, b gap) int { return int(a.ns - b.ns) }); g.ns < 190_000_000 {
		t.Errorf("the longest gap is %d ns, want the whole prompt's", g.ns)
	}
}

func TestWhoLeavesFreesItsPlaceAtOnce(t *testing.T) {
	e := engine(t, "h100-8b", map[string]string{"max_num_seqs": "1"})
	tr := newTrace()
	e.Admit(0, Request{ID: 1, Input: 100, Output: 1000}, tr.emit)
	e.Admit(1, Request{ID: 2, Input: 100, Output: 5}, tr.emit)
	e.Advance(second, tr.emit)
	if tr.tokens[2] != 0 {
		t.Fatal("there is one place and two have it")
	}
	iteration := e.Next()
	e.Cancel(second, 1)
	if st := e.Stats(); st.Used != 0 || st.Running != 0 {
		t.Errorf("after it left there is %+v", st)
	}
	for e.Next() != Never {
		e.Advance(e.Next(), tr.emit)
	}
	// The iteration under way still ends; the next one is the other's.
	if want := iteration + machineOf(t, "h100-8b", nil).length(prefill(100)); tr.first[2] != want {
		t.Errorf("the other's first token is at %d, want %d", tr.first[2], want)
	}
	if tr.tokens[2] != 5 || tr.ended[1] {
		t.Errorf("tokens %v, ends %v", tr.tokens, tr.ended)
	}
}

func prefill(tokens int) (l load) {
	l.add(0, tokens)
	return l
}

func TestDraftsAreKeptUpToTheFirstThatIsRefused(t *testing.T) {
	const k, tokens = 3, 60_000
	for acceptance, mean := range map[string]float64{
		"0": 1, "1": 1 + k,
		"0.7": 1 + 0.7 + 0.49 + 0.343,
	} {
		e := engine(t, "h100-8b", map[string]string{"draft_tokens": "3", "draft_acceptance": acceptance})
		var got []Emission
		e.Admit(0, Request{ID: 1, Input: 1, Output: tokens}, collect(&got))
		drive(e, &got)
		// The first token comes of the prefill, which drafts nothing. With 23,700
		// iterations of standard deviation 1.2, five of them are 0.04 off.
		if have := (tokens - 1) / float64(len(got)-1); math.Abs(have-mean) > 0.04 {
			t.Errorf("acceptance %s: %.3f tokens an iteration, want %.3f", acceptance, have, mean)
		}
	}
}

func TestTailsHoldOutputBackAndLoseNone(t *testing.T) {
	set := map[string]string{"tail_share": "1", "tail_position": "5", "tail_hold": "3"}
	e := engine(t, "h100-8b", set)
	var got []Emission
	e.Admit(0, Request{ID: 1, Input: 1, Output: 14}, collect(&got))
	drive(e, &got)
	var tokens []int
	for _, em := range got {
		tokens = append(tokens, em.Tokens)
	}
	// From the sixth on each event waits three iterations; the last one does not.
	if diff := cmp.Diff([]int{1, 1, 1, 1, 1, 4, 4, 1}, tokens); diff != "" {
		t.Errorf("tokens of the events (-want +got):\n%s", diff)
	}
}

// Whoever drives the engine late and out of step gets the same emissions as
// one who replays the instants that Admit returned.
func TestALateDriverIsReplayedExactly(t *testing.T) {
	type admission struct {
		at int64
		r  Request
	}
	for n := range uint64(20) {
		r := rand.New(rand.NewPCG(9, n))
		live := engine(t, "h100-8b", map[string]string{"kv_blocks": "400", "draft_tokens": "2"})
		var got, again []Emission
		var admitted []admission
		now := int64(0)
		for id := range uint64(150) {
			now += r.Int64N(60_000_000)
			live.Advance(now, collect(&got))
			q := Request{ID: id, Input: 1 + r.IntN(700), Output: 1 + r.IntN(150)}
			// Accepted up to 30 ms ago, and handed over only now.
			at := live.Admit(now-r.Int64N(30_000_000), q, collect(&got))
			if n := len(admitted); n > 0 && at < admitted[n-1].at {
				t.Fatalf("request %d is counted from %d, before the one that was admitted earlier", id, at)
			}
			admitted = append(admitted, admission{at, q})
		}
		for live.Next() != Never {
			live.Advance(live.Next()+r.Int64N(5_000_000), collect(&got))
		}
		replay := engine(t, "h100-8b", map[string]string{"kv_blocks": "400", "draft_tokens": "2"})
		for _, a := range admitted {
			if at := replay.Admit(a.at, a.r, collect(&again)); at != a.at {
				t.Fatalf("replayed at %d it is counted from %d", a.at, at)
			}
		}
		drive(replay, &again)
		if diff := cmp.Diff(got, again); diff != "" {
			t.Fatalf("emissions (-live +replayed):\n%s", diff)
		}
	}
}
