// A conversation: turns that follow one another, each with the replies before
// it in its history.

package workload

// A Session is a conversation of one user. Its first turn is due by the
// schedule; each later one when the turns it waits for have ended, plus its
// think time.
type Session struct {
	ID    string
	Turns []Turn // at least one
}

// A Turn is one request of a session.
type Turn struct {
	Name     string    // unique in the session; "" for the turns of a plain conversation
	After    []string  // turns that must have ended; nil: the one before it (of the first: none)
	Role     string    // the part it plays: "", "verifier", …; it is the record's
	Messages []Message // what is added to the history: the user's words, a tool's result
	Alone    bool      // Messages are the whole request: the history is in them
	Recorded string    // the reply that the history goes on with; "": the live one
	Think    int64     // ns from the end of the turns before it
	Output   int       // wanted tokens; 0: by the workload's law
	Input    int       // wanted tokens as a file tells them; 0: as counted
}

// An Entry is one request of a file of requests, whatever the file's format.
// What the file does not say is zero.
type Entry struct {
	Line     int    // of the file, from 1; where it is a JSON array, the element
	At       int64  // ns on the file's own clock, when Timed
	Timed    bool   // the file says when
	Session  string // entries of one session are its turns, in the order of the file
	Think    int64  // ns from the end of the turn before it
	Text     string
	Messages []Message
	Recorded string         // the reply that followed
	Alone    bool           // of a later turn: it is the whole request, the history is in it
	Raw      []byte         // a body to be sent as it is; Text or Messages are what is counted of it
	Streamed bool           // Raw asks for a reply in pieces
	Input    int            // tokens; 0: as counted
	Output   int            // tokens; 0: as Recorded is counted, else by the workload's law
	Blocks   []uint64       // hashes of the prompt's prefix blocks: equal ones are shared
	Block    int            // tokens of a block
	Extra    map[string]any // members of the body
}
