package result

// Files of requests: what was read of them, and what was left out.

// A File is the file of requests of a stream. Unusable lines are not sent; the
// first of them stand in Reasons with their numbers.
type File struct {
	Stream   string   `json:"stream"`
	Name     string   `json:"name"`
	Format   string   `json:"format"`
	Digest   string   `json:"digest"`   // of its bytes, as the contract has it; "" in contracts that were written without
	Requests int      `json:"requests"` // that can be used
	Units    int      `json:"units"`    // what is due at once: sessions, and requests that belong to none
	Unusable int      `json:"unusable"` // lines
	Reasons  []string `json:"reasons"`
}

func (b *builder) files() []File {
	var list []File
	for _, f := range b.log.files {
		list = append(list, File{
			Stream: f.Stream, Name: f.Name, Format: f.Format, Digest: b.c.Files[f.Name],
			Requests: f.Requests, Units: f.Units, Unusable: f.Unusable, Reasons: append([]string{}, f.Reasons...),
		})
	}
	return list
}
