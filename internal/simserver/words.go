package simserver

// What replies say: words that count one each and need no escapes.
var vocabulary = []string{
	" the", " metal", " was", " weighed", " before", " noon", " and", " again", " after", " the", " fire", " went", " out",
	" while", " two", " clerks", " wrote", " down", " every", " grain", " that", " came", " back", " from", " the", " cup",
	" so", " no", " doubt", " was", " left", " about", " what", " it", " held", " when", " sold",
}

// appendWords appends the n words that come after the first `from` of a reply.
func appendWords(dst []byte, from, n int) []byte {
	for i := range n {
		dst = append(dst, vocabulary[(from+i)%len(vocabulary)]...)
	}
	return dst
}
