//go:build linux

package main

// Adversities by control groups: less CPU, memory and disk than asked for.

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// throttled grants the whole client, or one worker behind the client's back,
// a part of a core.
func throttled(r *rand.Rand, _ *room) (plan, error) {
	period := pick(r, 10, 20, 50, 100, 200) // ms
	share := between(r, 5, 60)              // % of a core
	path, remove, err := group("cpu", map[string]string{"cpu.cfs_period_us": itoa(period * 1000)})
	if err != nil {
		return plan{}, err
	}
	if err := os.WriteFile(filepath.Join(path, "cpu.cfs_quota_us"), []byte(itoa(period*10*share)), 0); err != nil {
		remove()
		return plan{}, fmt.Errorf("%w: %w", errImpossible, err)
	}
	p := plan{traffic: either(r), after: remove}
	if r.IntN(2) == 0 {
		p.strength = fmt.Sprintf("the client has %d%% of a core by periods of %d ms", share, period)
		p.shell = "echo $$ >" + path + "/cgroup.procs"
		return p, nil
	}
	p.strength = fmt.Sprintf("one worker has %d%% of a core by periods of %d ms", share, period)
	p.beside = func(s scene) {
		if workers := workersOf(s.done, s.coordinator, s.processes); len(workers) > 0 {
			_ = join(path, workers[0]) // it may have ended
		}
	}
	return p, nil
}

// tiny grants the client little memory: its own program is read from disk
// again and again, or the kernel kills a process.
func tiny(r *rand.Rand, _ *room) (plan, error) {
	t := either(r)
	mib := between(r, 6, 10+4*t.processes)
	path, remove, err := group("memory", map[string]string{"memory.limit_in_bytes": itoa(mib << 20)})
	if err != nil {
		return plan{}, err
	}
	return plan{traffic: t, strength: fmt.Sprintf("%d MiB for the client", mib), shell: "echo $$ >" + path + "/cgroup.procs", after: remove}, nil
}

// slowDisk puts the run's folder on a small disk that writes so much a second
// and at once.
func slowDisk(r *rand.Rand, m *room) (plan, error) {
	kib := 8 << between(r, 0, 6)
	if !m.own {
		return plan{}, fmt.Errorf("%w: no mounts of its own", errImpossible)
	}
	image, at := filepath.Join(m.tmp, "disk.img"), filepath.Join(m.tmp, "disk")
	if err := os.WriteFile(image, nil, 0o600); err != nil {
		return plan{}, err
	}
	if err := os.Truncate(image, 64<<20); err != nil {
		return plan{}, err
	}
	if err := os.MkdirAll(at, 0o755); err != nil {
		return plan{}, err
	}
	for _, args := range [][]string{{"mkfs.ext4", "-q", "-O", "^has_journal", image}, {"mount", "-o", "loop,sync", image, at}} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			return plan{}, fmt.Errorf("%w: %s: %w %s", errImpossible, args[0], err, out)
		}
	}
	unmount := func() { _ = exec.Command("umount", at).Run() }
	var st unix.Stat_t
	if err := unix.Stat(at, &st); err != nil {
		unmount()
		return plan{}, err
	}
	path, remove, err := group("blkio", map[string]string{"blkio.throttle.write_bps_device": fmt.Sprintf("%d:%d %d", unix.Major(st.Dev), unix.Minor(st.Dev), kib<<10)})
	if err != nil {
		unmount()
		return plan{}, err
	}
	return plan{traffic: either(r), strength: fmt.Sprintf("the run's folder takes %d KiB/s", kib), dir: filepath.Join(at, "run"),
		shell: "echo $$ >" + path + "/cgroup.procs", after: func() { remove(); unmount() }}, nil
}
