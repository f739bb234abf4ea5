// Masking: a secret that was written by mistake must not reach the terminal
// or a log through the excerpt of an error.

package contract

import (
	"regexp"
	"strings"

	"assay/internal/record"
)

var (
	maskKey      = regexp.MustCompile(`(?i)(?:authorization|cookie|api[-_]?key|secret|password|passwd|credential|token)(_env)?["']?\s*[:=]\s*`)
	maskScheme   = regexp.MustCompile(`(?i)\b(bearer|basic)\s+[^\s"'$]+`)
	maskShape    = regexp.MustCompile(`\b(?:sk|pk|rk|hf|ghp|gho|xox[a-z]|AKIA|eyJ)[-_.A-Za-z0-9]{12,}`)
	maskUser     = regexp.MustCompile(`//[^/@\s]+@`)
	maskQuery    = regexp.MustCompile(`(?i)([?&](?:key|api[-_]?key|[a-z_]*token|sig|signature|secret|password)=)[^&\s"']+`)
	envReference = regexp.MustCompile(`\$\{[A-Za-z_][A-Za-z0-9_]*\}`)
	envName      = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

// mask hides what may be a secret in a line that is about to be shown. It
// hides rather too much: the place and the key are enough to find the line.
func mask(line string) string {
	line = record.Printable(strings.ToValidUTF8(line, "\uFFFD"))
	line = maskUser.ReplaceAllString(line, "//***@")
	line = maskQuery.ReplaceAllString(line, "${1}***")
	line = maskScheme.ReplaceAllString(line, "${1} ***")
	line = maskShape.ReplaceAllString(line, "***")
	m := maskKey.FindStringSubmatchIndex(line)
	if m == nil {
		return line
	}
	value := strings.TrimSpace(line[m[1]:])
	named := m[2] >= 0 && isEnvName(strings.TrimRight(value, "}, "))
	if value == "" || named || envReference.MatchString(value) {
		return line
	}
	return line[:m[1]] + "***"
}

// isEnvName tells the name of an environment variable from the key itself:
// both are one word, but nobody names a variable in mixed case with digits.
func isEnvName(s string) bool {
	if !envName.MatchString(s) {
		return false
	}
	return s == strings.ToUpper(s) || s == strings.ToLower(s) && len(s) <= 32
}
