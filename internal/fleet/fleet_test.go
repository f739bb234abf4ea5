package fleet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/internal/record"
)

// role names what this test binary does when it is started as a worker.
const role = "ASSAY_FLEET_TEST_ROLE"

func TestMain(m *testing.M) {
	if name := os.Getenv(role); name != "" {
		os.Exit(play(name))
	}
	os.Exit(m.Run())
}

// play is a worker: each role one way to live and die.
func play(name string) int {
	if name == "coordinator" {
		return coordinate()
	}
	c, err := Child()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 9
	}
	switch name {
	case "echo": // and leave when the coordinator does
		for {
			typ, payload, err := c.Recv()
			if err != nil {
				return 0
			}
			if err := c.Send(typ, payload); err != nil {
				return 1
			}
		}
	case "stubborn": // deaf and blind
		c.Send(record.FrameControl, []byte("here"))
		select {}
	case "spin":
		c.Send(record.FrameControl, []byte("here"))
		for n := uint(0); ; n++ {
		}
	case "burst":
		for i := range 4000 {
			c.Send(record.FrameRecord, fmt.Appendf(nil, "%d", i))
		}
		var many []byte
		for i := range 1000 {
			many = record.AppendFrame(many, record.FrameRecord, fmt.Appendf(nil, "%d", 4000+i))
		}
		c.SendRaw(many)
	case "talkative":
		fmt.Println("a stray line")
		os.Stdout.WriteString("another\n")
		runtime.GC() // what is collected must not close our line
		runtime.GC()
		fmt.Println("and one more")
		c.Send(record.FrameControl, []byte("understood"))
	case "panic":
		fmt.Fprintln(os.Stderr, "panic: all is lost\n\ngoroutine 1 [running]:")
		fmt.Fprint(os.Stderr, strings.Repeat("x", 1<<20))
		return 2
	case "garbage":
		c.out.WriteString(strings.Repeat("no frames here. ", 100))
		select {}
	case "torn":
		frame := record.AppendFrame(nil, record.FrameRecord, []byte("the last record"))
		c.Send(record.FrameRecord, []byte("whole"))
		c.out.Write(frame[:len(frame)-3])
		self, _ := os.FindProcess(os.Getpid())
		self.Kill()
		select {}
	}
	return 0
}

// children is the role of the workers that a coordinator under test starts.
const children = "ASSAY_FLEET_TEST_CHILDREN"

// coordinate starts two workers, prints their numbers when they live, and waits.
func coordinate() int {
	s := newSaid()
	exe, _ := os.Executable()
	f, err := Start(context.Background(), Config{Exe: exe, Env: []string{role + "=" + os.Getenv(children)}, N: 2, OnFrame: s.on})
	if err != nil {
		return 1
	}
	f.Broadcast(record.FrameControl, []byte("here?"))
	<-s.news
	<-s.news
	fmt.Println(f.PIDs()[0], f.PIDs()[1])
	f.Wait()
	return 0
}

// said collects frames; it is safe for many workers.
type said struct {
	mu     sync.Mutex
	frames map[int][]string
	news   chan struct{}
}

func newSaid() *said { return &said{frames: map[int][]string{}, news: make(chan struct{}, 1<<16)} }

func (s *said) on(worker int, typ byte, payload []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.frames[worker] = append(s.frames[worker], fmt.Sprintf("%d:%s", typ, payload))
	s.news <- struct{}{}
}

func (s *said) of(worker int) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.frames[worker]
}

// wait waits for n frames of the whole fleet.
func (s *said) wait(t *testing.T, n int) {
	t.Helper()
	limit := time.After(30 * time.Second)
	for range n {
		select {
		case <-s.news:
		case <-limit:
			t.Fatalf("no %d frames within half a minute", n)
		}
	}
}

func start(t *testing.T, n int, name string, s *said) *Fleet {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	f, err := Start(t.Context(), Config{Exe: exe, Env: []string{role + "=" + name}, N: n, OnFrame: s.on})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Kill(); f.Wait() })
	return f
}

func TestFramesReachEachWorkerAndComeBack(t *testing.T) {
	s := newSaid()
	f := start(t, 3, "echo", s)
	if err := f.Broadcast(record.FrameControl, []byte("all")); err != nil {
		t.Fatal(err)
	}
	big := bytes.Repeat([]byte("0123456789abcdef"), 200_000) // beyond the pipe
	if err := f.Send(1, record.FrameRecord, big); err != nil {
		t.Fatal(err)
	}
	s.wait(t, 4)
	f.Hangup()
	for _, e := range f.Wait() {
		if e.Err != nil {
			t.Errorf("worker %d: %v", e.Worker, e.Err)
		}
	}
	if got := s.of(2); len(got) != 1 || got[0] != "3:all" {
		t.Errorf("worker 2 said %v", got)
	}
	if got := s.of(1); len(got) != 2 || got[1] != "1:"+string(big) {
		t.Errorf("worker 1 did not return the large frame")
	}
	if err := f.Send(0, record.FrameControl, nil); err == nil {
		t.Error("a frame to a worker that is gone was sent")
	}
}

func TestEveryFrameOfAWorkerThatEndedIsHandedOverInOrder(t *testing.T) {
	s := newSaid()
	f := start(t, 2, "burst", s)
	f.Wait()
	for w := range 2 {
		got := s.of(w)
		if len(got) != 5000 {
			t.Fatalf("worker %d: %d frames, want 5000", w, len(got))
		}
		for i, frame := range got {
			if want := fmt.Sprintf("1:%d", i); frame != want {
				t.Fatalf("worker %d, frame %d: %s, want %s", w, i, frame, want)
			}
		}
	}
}

func TestAWorkerKilledIsReportedAndTheOthersWorkOn(t *testing.T) {
	s := newSaid()
	told := make(chan Exit, 2)
	exe, _ := os.Executable()
	f, err := Start(t.Context(), Config{
		Exe: exe, Env: []string{role + "=echo"}, N: 2, OnFrame: s.on,
		OnExit: func(e Exit) { told <- e },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { f.Kill(); f.Wait() }()
	victim, err := os.FindProcess(f.PIDs()[0])
	if err != nil {
		t.Fatal(err)
	}
	victim.Kill()
	e := <-told
	if e.Worker != 0 || e.Err == nil || e.Err.Error() != "signal: killed" {
		t.Fatalf("told of worker %d: %v, want worker 0: signal: killed", e.Worker, e.Err)
	}
	if err := f.Send(1, record.FrameControl, []byte("still there?")); err != nil {
		t.Fatal(err)
	}
	s.wait(t, 1)
	f.Hangup()
	exits := f.Wait()
	if exits[0].Err == nil || exits[1].Err != nil {
		t.Errorf("exits = %v", exits)
	}
}

func TestAFrameThatDiedWithItsWorkerIsTold(t *testing.T) {
	s := newSaid()
	exits := start(t, 1, "torn", s).Wait()
	var exit *ExitError
	if !errors.As(exits[0].Err, &exit) || exit.State != "signal: killed" || !exit.Torn {
		t.Errorf("exit = %v, want a torn frame and signal: killed", exits[0].Err)
	}
	if got := s.of(0); len(got) != 1 || got[0] != "1:whole" {
		t.Errorf("frames = %v, want the whole one", got)
	}
}

func TestTheFirstLineOfAFailedWorkerIsKeptAndItsFloodIsNot(t *testing.T) {
	exits := start(t, 1, "panic", newSaid()).Wait()
	var exit *ExitError
	if !errors.As(exits[0].Err, &exit) {
		t.Fatalf("exit = %v", exits[0].Err)
	}
	if got, want := exit.Error(), "exit status 2: panic: all is lost"; got != want {
		t.Errorf("Error() = %q, want %q", got, want)
	}
	if len(exit.Stderr) != stderrLimit {
		t.Errorf("%d bytes kept, want %d", len(exit.Stderr), stderrLimit)
	}
}

func TestAWorkerThatSpeaksNoFramesIsKilled(t *testing.T) {
	exits := start(t, 1, "garbage", newSaid()).Wait()
	if !errors.Is(exits[0].Err, record.ErrCorrupt) {
		t.Errorf("exit = %v, want ErrCorrupt", exits[0].Err)
	}
}

func TestAStrayPrintDoesNotBreakAFrame(t *testing.T) {
	s := newSaid()
	exits := start(t, 1, "talkative", s).Wait()
	if exits[0].Err != nil {
		t.Fatal(exits[0].Err)
	}
	if got := s.of(0); len(got) != 1 || got[0] != "3:understood" {
		t.Errorf("frames = %v", got)
	}
}

func TestTheEndOfTheContextKillsTheFleet(t *testing.T) {
	s := newSaid()
	ctx, cancel := context.WithCancel(t.Context())
	exe, _ := os.Executable()
	f, err := Start(ctx, Config{Exe: exe, Env: []string{role + "=stubborn"}, N: 2, OnFrame: s.on})
	if err != nil {
		t.Fatal(err)
	}
	s.wait(t, 2)
	cancel()
	for _, e := range f.Wait() {
		if e.Err == nil {
			t.Errorf("worker %d ended well", e.Worker)
		}
	}
}

func TestAProgramThatIsNotThereIsAnErrorOfStart(t *testing.T) {
	_, err := Start(t.Context(), Config{Exe: "./no-such-program", N: 3, OnFrame: newSaid().on})
	if err == nil || !strings.Contains(err.Error(), "start worker 0") {
		t.Errorf("Start = %v", err)
	}
}

func TestOutsideAFleetThereIsNoChild(t *testing.T) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	stdin := os.Stdin
	os.Stdin = null
	defer func() { os.Stdin = stdin }()
	if _, err := Child(); !errors.Is(err, ErrNotAWorker) {
		t.Errorf("Child = %v, want ErrNotAWorker", err)
	}
}
