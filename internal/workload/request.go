// Package workload says what is sent: request n of a stream as a function of
// (spec, seed, salt, n). It reads files through io/fs only and is handed its
// tokenizer. It refuses a prompts file of which it cannot use every line. The
// salt changes the words, never a length.
package workload

import "strings"

// A Message is one turn of a chat.
type Message struct {
	Role    string
	Content string
	Media   []Medium // what stands behind the words
	Raw     []byte   // the message as it was recorded, where it has more than the above: JSON, in the manner of OpenAI's chat
}

// A Request is the content of one request. Either Messages or Prompt is set:
// Prompt for text, Messages for chats. A dialect asks for the form it needs.
type Request struct {
	Prompt       string
	Messages     []Message
	InputTokens  int // wanted: as counted by the tokenizer of the workload
	OutputTokens int // wanted: the limit to send; 0: none is known

	Texts     []string // several texts, each for itself; the first is Prompt
	Documents []string // what Prompt is compared with

	Extra map[string]any // members of the body beside these, and in their stead
	Raw   []byte         // the whole body as it was recorded; nothing else of the request is sent then
	Err   error          // its file could not be read again: nothing may be sent
}

// Chat returns the request as a chat: its messages, or its text as the one
// message of a user.
func (r Request) Chat() []Message {
	if r.Messages != nil {
		return r.Messages
	}
	return []Message{{Role: "user", Content: r.Prompt}}
}

// Text returns the request as one text: its prompt, or what its messages say,
// a blank line between them. Roles are left out, so that the tokens are those
// that were counted.
func (r Request) Text() string {
	if r.Messages == nil {
		return r.Prompt
	}
	contents := make([]string, len(r.Messages))
	for i, m := range r.Messages {
		contents[i] = m.Content
	}
	return strings.Join(contents, "\n\n")
}
