// The control group that this process is in: what CPU and memory it is granted
// and what CPU it has used, in either version of the interface.
package host

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A cgroup is the folders to look in, innermost first.
type cgroup struct {
	files fs.FS // of /sys/fs/cgroup
	paths []string
	used  []string // where version 1 accounts for CPU
	bytes []string // where either version limits memory
}

func findCgroup() *cgroup {
	own, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return newCgroup("", os.DirFS("/sys/fs/cgroup"))
	}
	return newCgroup(string(own), os.DirFS("/sys/fs/cgroup"))
}

// newCgroup finds the folders of the group named in own, the text of
// /proc/self/cgroup. In a container the path may be that of the host and not
// be there: then the mount's own root is the group.
func newCgroup(own string, files fs.FS) *cgroup {
	g := &cgroup{files: files}
	for line := range strings.Lines(own) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		controllers := strings.Split(parts[1], ",")
		switch {
		case parts[0] == "0" && parts[1] == "":
			g.paths = append(g.paths, upwards("", parts[2])...)
			g.paths = append(g.paths, upwards("unified", parts[2])...)
			g.bytes = append(g.bytes, g.paths...)
		case slices.Contains(controllers, "cpu"):
			g.paths = append(g.paths, upwards("cpu", parts[2])...)
			g.paths = append(g.paths, upwards("cpu,cpuacct", parts[2])...)
		}
		if slices.Contains(controllers, "cpuacct") {
			g.used = append(g.used, upwards("cpuacct", parts[2])...)
		}
		if slices.Contains(controllers, "memory") {
			g.bytes = append(g.bytes, upwards("memory", parts[2])...)
		}
	}
	return g
}

// upwards are the folder of a group and those above it, innermost first.
func upwards(mount, group string) []string {
	var all []string
	for p := path.Clean("/" + group); ; p = path.Dir(p) {
		all = append(all, path.Join(".", mount, p))
		if p == "/" {
			return all
		}
	}
}

// quota is the number of cores that the tightest of the groups grants; 0 when
// none limits.
func (g *cgroup) quota() float64 {
	_, cores := g.tightest()
	return cores
}

// tightest is the folder of the group that grants the fewest cores, and how
// many; 0 when none limits.
func (g *cgroup) tightest() (folder string, cores float64) {
	least := math.Inf(1)
	for _, p := range g.paths {
		var quota, period float64
		if text, ok := g.read(p, "cpu.max"); ok { // "max 100000" or "150000 100000"
			if f := strings.Fields(text); len(f) == 2 {
				quota, _ = strconv.ParseFloat(f[0], 64)
				period, _ = strconv.ParseFloat(f[1], 64)
			}
		} else if text, ok := g.read(p, "cpu.cfs_quota_us"); ok { // -1: none
			quota, _ = strconv.ParseFloat(text, 64)
			text, _ := g.read(p, "cpu.cfs_period_us")
			period, _ = strconv.ParseFloat(text, 64)
		}
		if quota > 0 && period > 0 && quota/period < least {
			folder, least = p, quota/period
		}
	}
	if folder == "" {
		return "", 0
	}
	return folder, least
}

// throttled is how long the tightest group held tasks back for its quota, in
// ns and summed over CPUs. It is 0 where groups can be seen and none has a
// quota: nothing is held back then.
func (g *cgroup) throttled() (source string, ns int64, err error) {
	folder, quota := g.tightest()
	if quota == 0 {
		for _, p := range g.paths {
			if _, ok := g.read(p, "cpu.stat"); ok {
				return "", 0, nil
			}
		}
		return "", 0, errors.New("no control group can be seen here")
	}
	text, _ := g.read(folder, "cpu.stat")
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) != 2 || f[0] != "throttled_usec" && f[0] != "throttled_time" {
			continue
		}
		ns, err := strconv.ParseInt(f[1], 10, 64)
		if f[0] == "throttled_usec" { // version 2; version 1 counts ns
			ns *= 1000
		}
		return folder, ns, err
	}
	return "", 0, fmt.Errorf("the control group %s has a quota and does not tell what it held back", folder)
}

// memory is the number of bytes that the tightest of the groups grants; 0 when
// none limits.
func (g *cgroup) memory() int64 {
	var least int64
	for _, p := range g.bytes {
		for _, name := range []string{"memory.max", "memory.limit_in_bytes"} { // "max", or a number beyond any machine: none
			text, _ := g.read(p, name)
			if n, err := strconv.ParseInt(text, 10, 64); err == nil && n > 0 && (least == 0 || n < least) {
				least = n
			}
		}
	}
	return least
}

// usage is the CPU time of everything in the innermost group, in ns.
func (g *cgroup) usage() (int64, bool) {
	for _, p := range g.paths {
		text, ok := g.read(p, "cpu.stat")
		if !ok {
			continue
		}
		for line := range strings.Lines(text) {
			if v, ok := strings.CutPrefix(line, "usage_usec "); ok {
				us, err := strconv.ParseInt(strings.TrimSpace(v), 10, 64)
				return us * 1000, err == nil
			}
		}
	}
	for _, p := range g.used {
		if text, ok := g.read(p, "cpuacct.usage"); ok {
			ns, err := strconv.ParseInt(text, 10, 64)
			return ns, err == nil
		}
	}
	return 0, false
}

func (g *cgroup) read(folder, name string) (string, bool) {
	text, err := fs.ReadFile(g.files, path.Join(folder, name))
	return strings.TrimSpace(string(text)), err == nil
}
