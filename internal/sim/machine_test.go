package sim

import (
	"math"
	"testing"
)

func machineOf(t *testing.T, preset string, set map[string]string) *machine {
	t.Helper()
	return &engine(t, preset, set).(*batching).machine
}

// The wanted lengths are worked out by hand from the figures of the presets.
func TestAnIterationLastsWhatTheBatchNeeds(t *testing.T) {
	for _, c := range []struct {
		about, preset string
		set           map[string]string
		sequences     int
		computed      int
		take          int
		ms            float64
	}{
		// 16.06 GB at 2.8475 TB/s, 131,072 B a token of 1,000, 2.5 ms and 5 us.
		{"one sequence decodes", "h100-8b", nil, 1, 999, 1, 5.6400 + 0.0460 + 2.505},
		// 16.06 GFLOP a token at 643.11 TFLOP/s beat the weights from 226 tokens on.
		{"many decode", "h100-8b", nil, 512, 999, 1, 12.7858 + 23.5676 + 5.06},
		// 4·32·32·128 operations for each of 2,000·2,001/2 pairs.
		{"a prefill", "h100-8b", nil, 1, 0, 2000, 49.9447 + 1.6314 + 2.505},
		// Half the weights, and twice the arithmetic.
		{"8 bits", "h100-8b", map[string]string{"weight_bits": "8", "kv_bits": "8", "compute_bits": "8"}, 1, 999, 1, 2.8200 + 0.0230 + 2.505},
		// 141.1 GB over 4; 160 all-reduces of 33 us and 24,576 B at 450 GB/s.
		{"four GPUs", "tp4", nil, 1, 999, 1, 12.3880 + 0.0288 + 5.28874 + 2.505},
		{"a prefill on four", "tp4", nil, 1, 0, 2000, 109.7016 + 2.0391 + 22.7563 + 2.505},
		{"eight GPUs", "tp8", nil, 1, 999, 1, 6.1940 + 0.0144 + 12.33019 + 2.505},
	} {
		var l load
		for range c.sequences {
			l.add(c.computed, c.take)
		}
		if got := float64(machineOf(t, c.preset, c.set).length(l)) / 1e6; math.Abs(got-c.ms) > c.ms/2000 {
			t.Errorf("%s: %.4f ms, want %.4f", c.about, got, c.ms)
		}
	}
}

func TestDraftingCostsTheDraftModelsWeights(t *testing.T) {
	m := machineOf(t, "h100-8b", map[string]string{"draft_tokens": "3", "draft_params_m": "1000"})
	var l load
	l.add(100, 4)
	plain := m.length(l)
	l.drafting = true
	if got, want := float64(m.length(l)-plain), 3*2e9/2.8475e12*1e9; math.Abs(got-want) > 2 {
		t.Errorf("three drafts cost %.0f ns, want %.0f", got, want)
	}
}

// The figures that were fitted give back what they were fitted to: 128 tokens
// in 833.4 ms on one H200 and in 2,077.5 ms on four.
func TestFittedFiguresGiveTheirSourceBack(t *testing.T) {
	for preset, ms := range map[string]float64{"h100-8b": 833.4, "tp4": 2077.5} {
		m := machineOf(t, preset, map[string]string{"bandwidth_tbs": "4.8"})
		var l load
		for range 8 {
			l.add(32+64, 1)
		}
		if got := float64(m.length(l)) / 1e6 * 128; math.Abs(got/ms-1) > 0.03 {
			t.Errorf("%s: 128 tokens of a batch of 8 take %.0f ms, want %.0f within 3 %%", preset, got, ms)
		}
	}
}

func TestTheKVCacheIsWhatTheWeightsLeave(t *testing.T) {
	// 80 GB · 0.9 - 2 GB - 16.06 GB = 53.94 GB, in blocks of 16 · 131,072 B.
	if got := len(engine(t, "h100-8b", nil).(*batching).pool.blocks); got != 25720 {
		t.Errorf("%d blocks, want 25720", got)
	}
	// At 8 bits the weights leave 8.03 GB more, and a block is half as large.
	if got := len(engine(t, "h100-8b", map[string]string{"weight_bits": "8", "kv_bits": "8"}).(*batching).pool.blocks); got != 59099 {
		t.Errorf("%d blocks at 8 bits, want 59099", got)
	}
}
