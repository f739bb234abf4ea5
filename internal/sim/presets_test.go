package sim

import "testing"

func TestTheTimeToTheFirstTokenHasAKnee(t *testing.T) {
	var p99 []float64
	rates := []float64{1, 10, 20, 30, 34, 40, 50}
	for _, rate := range rates {
		tr := offer(engine(t, "h100-8b", nil), rate, 550, 256, 60*second)
		p99 = append(p99, float64(quantile(tr.waits(15*second), 0.99))/1e6)
	}
	for i := 1; i < len(p99); i++ {
		if p99[i] <= p99[i-1] {
			t.Errorf("p99 at %v/s is %.0f ms, at %v/s %.0f ms: more load must wait longer", rates[i], p99[i], rates[i-1], p99[i-1])
		}
	}
	// Up to 30/s it stays within some prefills; from 40/s on there is a queue.
	if p99[3] > 300 || p99[5] < 3000 {
		t.Errorf("p99 = %.0f ms at 30/s and %.0f ms at 40/s: there is no knee between them", p99[3], p99[5])
	}
}

func TestTwiceTheGPUsLiftThroughputByThirtyPercent(t *testing.T) {
	four, _ := saturate(t, engine(t, "tp4", nil), 2000, 550, 256, 240*second)
	eight, _ := saturate(t, engine(t, "tp8", nil), 2000, 550, 256, 240*second)
	if ratio := eight / four; ratio < 1.25 || ratio > 1.35 {
		t.Errorf("tp8 makes %.0f tokens/s and tp4 %.0f: %.2f times, want 1.25 to 1.35", eight, four, ratio)
	}
}

// Below and at saturation nothing but the late gaps tells the two apart.
func TestTailsDoubleLateInLongRepliesAndThroughputStays(t *testing.T) {
	for _, load := range []struct {
		about       string
		concurrency int
	}{{"light", 8}, {"medium", 64}, {"saturated", 300}} {
		plainRate, plain := saturate(t, engine(t, "h100-8b", nil), load.concurrency, 550, 1500, 90*second)
		rate, tails := saturate(t, engine(t, "h100-8b-fp8-tails", nil), load.concurrency, 550, 1500, 90*second)
		if ratio := rate / plainRate; ratio < 0.97 || ratio > 1.03 {
			t.Errorf("%s: throughput %.0f and %.0f tokens/s, want within 3 %%", load.about, plainRate, rate)
		}
		at := func(tr *trace, late bool) int64 {
			var ns []int64
			for _, g := range tr.gaps {
				if late == (g.position > 1024) {
					ns = append(ns, g.ns)
				}
			}
			return quantile(ns, 0.99)
		}
		if ratio := float64(at(tails, true)) / float64(at(plain, true)); ratio < 2 {
			t.Errorf("%s: p99 of late gaps is %.2f times h100-8b's, want 2 at least", load.about, ratio)
		}
		if ratio := float64(at(tails, false)) / float64(at(plain, false)); ratio > 1.05 || ratio < 0.95 {
			t.Errorf("%s: p99 of early gaps is %.2f times h100-8b's, want the same", load.about, ratio)
		}
	}
}

func TestEveryParameterSaysWhatItIsAndWhereItComesFrom(t *testing.T) {
	for _, p := range Presets() {
		names := map[string]bool{}
		for _, param := range p.Params {
			if param.About == "" || names[param.Name] {
				t.Errorf("%s: parameter %s is described badly or twice", p.Name, param.Name)
			}
			names[param.Name] = true
		}
	}
	for _, param := range engineParams {
		// Parameters whose default is "off" or "one" need no source.
		if param.Source == "" && param.Default != "0" && param.Default != "1" && param.Default != "16" && param.Name != "output_tokens" {
			t.Errorf("parameter %s has no source", param.Name)
		}
	}
}

func TestBatchingPresetsRefuseWhatCannotBe(t *testing.T) {
	for name, value := range map[string]string{
		"weight_bits": "5", "compute_bits": "4", "params_m": "405000", "chunked_prefill": "yes",
		"bandwidth_use": "0", "draft_acceptance": "110%", "tflops": "-1", "kv_blocks": "-1",
	} {
		if _, err := Configure("h100-8b", map[string]string{name: value}); err == nil {
			t.Errorf("%s=%s is taken", name, value)
		}
	}
	s, err := Configure("h100-8b", map[string]string{"kv_blocks": "100"})
	if err != nil || s.Longest() != 1600 || s.BlockSize() != 16 {
		t.Errorf("with 100 blocks of %d the longest request is %d, %v, want 1600", s.BlockSize(), s.Longest(), err)
	}
}
