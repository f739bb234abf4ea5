// Package workload says what is sent: request n of a stream as a function of
// (spec, seed, salt, n). It reads files through io/fs only and is handed its
// tokenizer. The salt changes the words, never a length.
package workload

// A Message is one turn of a chat.
type Message struct {
	Role    string
	Content string
}

// A Request is the content of one request. Either Messages or Prompt is set:
// Prompt for text, Messages for chats; a dialect renders what it is given.
type Request struct {
	Prompt       string
	Messages     []Message
	InputTokens  int // wanted: as counted by the tokenizer of the workload
	OutputTokens int // wanted: the limit to send
}
