package host

import (
	"os"
	"strconv"
	"strings"
	"time"
)

// timeWait is how long Linux keeps the address of a connection that this side
// closed first (TCP_TIMEWAIT_LEN, which can't be set).
const timeWait = 60 * time.Second

// PortRest is how long the local port of a closed connection can't serve
// another one to the same address; loopback says that the address is this
// machine's own.
func PortRest(loopback bool) time.Duration {
	text, err := os.ReadFile("/proc/sys/net/ipv4/tcp_tw_reuse")
	if err != nil {
		return timeWait
	}
	return portRest(strings.TrimSpace(string(text)), loopback)
}

// portRest understands tcp_tw_reuse: 1 lends a port again after a second, 2
// only over loopback, 0 never.
func portRest(reuse string, loopback bool) time.Duration {
	if reuse == "1" || reuse == "2" && loopback {
		return time.Second
	}
	return timeWait
}

// PortsResting is how many connections of this machine wait in TIME_WAIT, to
// whatever address; 0 where that can't be read.
func PortsResting() int {
	text, err := os.ReadFile("/proc/net/sockstat")
	if err != nil {
		return 0
	}
	n, _ := sockets(string(text), "TCP:", "tw")
	return n
}

// sockets reads one count of "TCP: inuse 2 orphan 0 tw 102 alloc 2 mem 68".
func sockets(sockstat, protocol, key string) (n int, ok bool) {
	for line := range strings.Lines(sockstat) {
		f := strings.Fields(line)
		if len(f) == 0 || f[0] != protocol {
			continue
		}
		for i := 1; i+1 < len(f); i += 2 {
			if f[i] == key {
				n, err := strconv.Atoi(f[i+1])
				return n, err == nil
			}
		}
	}
	return 0, false
}
