// Files of ranks, as tiktoken reads them: a token in base64 and its number on
// each line. The number is both its id and its turn: two neighbours are merged
// where what they spell is a token, the lowest number first.

package tokenizer

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"strconv"
)

// readRanks makes the model of such a file. A rule is written out for each way
// to cut a token into two others, so that merging is that of other files.
func readRanks(data []byte) (*model, error) {
	m := &model{unk: none, byBytes: true, whole: true}
	var err error
	if m.ids, err = parseRanks(data); err != nil {
		return nil, err
	}
	for b := range m.bytes {
		id, ok := m.ids[string([]byte{byte(b)})]
		if !ok {
			return nil, fmt.Errorf("the ranks lack the byte 0x%02X", b)
		}
		m.bytes[b] = id
	}
	m.merges = make(map[uint64]merge, 2*len(m.ids))
	for token, id := range m.ids {
		for cut := 1; cut < len(token); cut++ {
			left, ok := m.ids[token[:cut]]
			if !ok {
				continue
			}
			if right, ok := m.ids[token[cut:]]; ok {
				m.merges[pair(left, right)] = merge{rank: id, id: id}
			}
		}
	}
	return m, nil
}

// parseRanks are the ids by the bytes of their tokens.
func parseRanks(data []byte) (map[string]int32, error) {
	lines := bytes.Count(data, []byte("\n")) + 1
	ids, seen := make(map[string]int32, lines), make(map[int32]bool, lines)
	n := 0
	for line := range bytes.Lines(data) {
		n++
		fields := bytes.Fields(line)
		if len(fields) == 0 {
			continue
		}
		if len(fields) != 2 {
			return nil, fmt.Errorf("line %d is not a token and its rank: %.40q", n, line)
		}
		token, err := base64.StdEncoding.DecodeString(string(fields[0]))
		if err != nil || len(token) == 0 {
			return nil, fmt.Errorf("line %d: %.40q is no token in base64", n, fields[0])
		}
		rank, err := strconv.ParseUint(string(fields[1]), 10, 31)
		if err != nil || rank == math.MaxInt32 {
			return nil, fmt.Errorf("line %d: %.40q is no rank", n, fields[1])
		}
		id := int32(rank)
		if _, twice := ids[string(token)]; twice || seen[id] {
			return nil, fmt.Errorf("line %d: the token or its rank stands there twice", n)
		}
		ids[string(token)], seen[id] = id, true
	}
	if len(ids) == 0 {
		return nil, errors.New("there are no ranks in it")
	}
	return ids, nil
}
