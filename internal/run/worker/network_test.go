package worker

import (
	"context"
	"net"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	"assay/internal/dispatch"
	"assay/internal/observation"
	"assay/internal/record"
	"assay/internal/wire"
	"assay/internal/wire/http1"
	"assay/internal/wire/memwire"
)

func TestPathsAreSummedUpByHand(t *testing.T) {
	trip := func(ns, again int64) wire.Path { return wire.Path{RTT: ns, Retransmits: again} }
	for _, c := range []struct {
		name  string
		paths []wire.Path
		open  int
		want  observation.Network
	}{
		{"nothing open", nil, 0, observation.Network{Unavailable: "no connection is open"}},
		{"nothing told", nil, 3, observation.Network{Connections: 3, Unavailable: "this system tells nothing of its TCP connections"}},
		{
			"no round trip yet", []wire.Path{trip(record.None, 2)}, 3,
			observation.Network{Connections: 3, Sampled: 1, Retransmits: 2, Unavailable: "no round trip was measured yet"},
		},
		{
			"an even number, one of them without", []wire.Path{trip(40, 1), trip(record.None, 0), trip(10, 0), trip(30, 5), trip(20, 0)}, 9,
			observation.Network{Connections: 9, Sampled: 5, RTTMin: 10, RTTMedian: 20, RTTMax: 40, Retransmits: 6},
		},
		{"one", []wire.Path{trip(7, 0)}, 1, observation.Network{Connections: 1, Sampled: 1, RTTMin: 7, RTTMedian: 7, RTTMax: 7}},
	} {
		if got := networkOf(c.paths, c.open); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// asked counts who is asked.
type asked struct {
	*memwire.Conn
	n *int
}

func (a asked) Path() (wire.Path, bool) { *a.n++; return a.Conn.Path() }

// pool is one with so many connections, each of this round trip; n counts the
// questions.
func pool(t *testing.T, connections int, rtt time.Duration, n *int) *http1.Pool {
	t.Helper()
	start := time.Now()
	now := func() int64 { return int64(time.Since(start)) }
	p := http1.NewPool(http1.Config{
		URL: &url.URL{Scheme: "http", Host: "server"}, Now: now,
		Dial: func(context.Context, string, string) (wire.Conn, wire.DialTimes, error) {
			c, _ := memwire.Pipe(now, memwire.Link{RTT: rtt})
			return asked{c, n}, wire.DialTimes{DNS: record.None, Connect: record.None}, nil
		},
	})
	if err := p.Warm(context.Background(), connections); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestALookAsksNoMoreConnectionsThanItMayAndEachPoolInTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var few, many, more int
		streams := []dispatch.Stream{
			{Targets: []dispatch.Target{{Pool: pool(t, 5, time.Millisecond, &few)}}},
			{Targets: []dispatch.Target{{Pool: pool(t, 100, 3*time.Millisecond, &many)}, {Pool: pool(t, 200, 9*time.Millisecond, &more)}}},
		}
		l := newLookout(streams)
		n := l.look()
		if n.Connections != 305 || n.Sampled != 64 || few+many+more != 64 {
			t.Errorf("%d of %d connections, %d questions; want 64 of 305", n.Sampled, n.Connections, few+many+more)
		}
		// The first pool has 5 of the 22 that it may; the others share the rest.
		if few != 5 || many != 30 || more != 29 || n.RTTMin != int64(time.Millisecond) || n.RTTMax != int64(9*time.Millisecond) {
			t.Errorf("asked %d, %d and %d, %+v", few, many, more, n)
		}
		l.limit = 1
		few, many, more = 0, 0, 0
		for range 3 {
			time.Sleep(2 * time.Second)
			l.look()
		}
		if few != 1 || many != 1 || more != 1 {
			t.Errorf("one question a look went to %d, %d and %d; want each pool in turn", few, many, more)
		}
		for _, s := range streams {
			for _, target := range s.Targets {
				target.Pool.Close()
			}
		}
	})
}

func BenchmarkALookAt64OfAThousandConnections(b *testing.B) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			defer c.Close()
		}
	}()
	var at int64 // the benchmark's clock: a look each second
	start := time.Now()
	d := &wire.Dialer{Now: func() int64 { return int64(time.Since(start)) }, FromWall: func(w int64) int64 { return w }, Kernel: true}
	p := http1.NewPool(http1.Config{
		URL: &url.URL{Scheme: "http", Host: l.Addr().String()}, Dial: d.DialContext, Now: func() int64 { return at },
	})
	defer p.Close()
	if err := p.Warm(context.Background(), 1000); err != nil {
		b.Fatal(err)
	}
	look := newLookout([]dispatch.Stream{{Targets: []dispatch.Target{{Pool: p}}}})
	b.ReportAllocs()
	for b.Loop() {
		at += int64(time.Second)
		if n := look.look(); n.Sampled != askedAtOnce {
			b.Fatalf("%+v", n)
		}
	}
}
