package run

// Where a tokenizer lies: a file or folder that is named, the cache of Hugging
// Face's tools, or that of tiktoken. Nothing is fetched.

import (
	"cmp"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"assay/internal/tokenizer"
)

const tokenizerFile = "tokenizer.json"

// findTokenizer returns the path of the file that is asked for, and whose ranks
// it holds where its name alone tells. A path that exists goes before a name.
func findTokenizer(asked string, files fs.FS, env func(string) string) (path string, e *tokenizer.Encoding, err error) {
	switch info, err := fs.Stat(files, asked); {
	case err == nil && info.IsDir():
		path, err = inFolder(asked, files)
		return path, nil, err
	case err == nil:
		return asked, nil, nil
	case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrInvalid):
		return "", nil, err
	}
	e, ok := tokenizer.FindEncoding(asked)
	if !ok {
		e, ok = tokenizer.EncodingOfModel(asked)
	}
	if ok {
		path, err = findRanks(asked, e, files, env)
		return path, e, err
	}
	if strings.HasPrefix(asked, ".") || strings.Count(asked, "/") > 1 || filepath.IsAbs(asked) || strings.HasSuffix(asked, ".json") || strings.HasSuffix(asked, tokenizer.RanksSuffix) {
		return "", nil, fmt.Errorf("there is no file or folder %s", asked)
	}
	hub := hubCache(env)
	if hub == "" {
		return "", nil, fmt.Errorf("there is no file or folder %s, and no home folder to look for a cache in", asked)
	}
	path, err = findCached(asked, hub, files)
	return path, nil, err
}

// inFolder is the tokenizer of a folder: its tokenizer.json, else its only file
// of ranks.
func inFolder(folder string, files fs.FS) (string, error) {
	path := filepath.Join(folder, tokenizerFile)
	if _, err := fs.Stat(files, path); err == nil {
		return path, nil
	}
	entries, err := fs.ReadDir(files, folder)
	if err != nil {
		return "", err
	}
	var found []string
	for _, entry := range entries {
		if strings.HasSuffix(entry.Name(), tokenizer.RanksSuffix) {
			found = append(found, filepath.Join(folder, entry.Name()))
		}
	}
	switch len(found) {
	case 0:
		return "", fmt.Errorf("the folder %s holds no %s", folder, tokenizerFile)
	case 1:
		return found[0], nil
	}
	return "", fmt.Errorf("the folder %s holds %d files of ranks: name one, such as %s", folder, len(found), found[0])
}

// findRanks looks an encoding up where tiktoken keeps what it fetched.
func findRanks(asked string, e *tokenizer.Encoding, files fs.FS, env func(string) string) (string, error) {
	sum := sha1.Sum([]byte(e.Published()))
	name := hex.EncodeToString(sum[:])
	folders := rankCaches(env)
	for _, folder := range folders {
		path := filepath.Join(folder, name)
		if _, err := fs.Stat(files, path); err == nil {
			return path, nil
		}
	}
	what := asked
	if e.Name != asked {
		what += " (" + e.Name + ")"
	}
	return "", fmt.Errorf("there is no file or folder %s, and tiktoken's cache (%s) has no %s of %s", what, strings.Join(folders, ", "), name, e.File)
}

// rankCaches are the folders where releases of tiktoken keep their files: the
// one that is set, or those that they take by themselves.
func rankCaches(env func(string) string) []string {
	if dir := cmp.Or(env("TIKTOKEN_CACHE_DIR"), env("DATA_GYM_CACHE_DIR")); dir != "" {
		return []string{dir}
	}
	folders := []string{filepath.Join(cmp.Or(env("TMPDIR"), env("TEMP"), env("TMP"), "/tmp"), "data-gym-cache")}
	if base := cacheHome(env); base != "" {
		folders = append(folders, filepath.Join(base, "tiktoken"))
	}
	return folders
}

// cacheHome is where programs of this user keep what they fetched; "" when
// nothing says.
func cacheHome(env func(string) string) string {
	base := env("XDG_CACHE_HOME")
	if user := cmp.Or(env("HOME"), env("USERPROFILE")); base == "" && user != "" {
		base = filepath.Join(user, ".cache")
	}
	return base
}

// hubCache is where Hugging Face's tools keep what they fetched; "" when
// nothing says.
func hubCache(env func(string) string) string {
	if dir := env("HF_HUB_CACHE"); dir != "" {
		return dir
	}
	home := env("HF_HOME")
	if home == "" {
		base := cacheHome(env)
		if base == "" {
			return ""
		}
		home = filepath.Join(base, "huggingface")
	}
	return filepath.Join(home, "hub")
}

// findCached looks a model up in the cache: the revision that main points at,
// else the only one that has the file. Of several none is guessed.
func findCached(name, hub string, files fs.FS) (string, error) {
	folder := filepath.Join(hub, "models--"+strings.ReplaceAll(name, "/", "--"))
	snapshots := filepath.Join(folder, "snapshots")
	if commit, err := fs.ReadFile(files, filepath.Join(folder, "refs", "main")); err == nil {
		path := filepath.Join(snapshots, strings.TrimSpace(string(commit)), tokenizerFile)
		if _, err := fs.Stat(files, path); err == nil {
			return path, nil
		}
	}
	entries, err := fs.ReadDir(files, snapshots)
	if err != nil {
		return "", fmt.Errorf("there is no file or folder %s, and no model of that name in %s", name, hub)
	}
	var found []string
	for _, e := range entries {
		path := filepath.Join(snapshots, e.Name(), tokenizerFile)
		if _, err := fs.Stat(files, path); err == nil {
			found = append(found, path)
		}
	}
	switch len(found) {
	case 0:
		return "", fmt.Errorf("the model %s in %s has no %s", name, hub, tokenizerFile)
	case 1:
		return found[0], nil
	}
	return "", fmt.Errorf("the model %s in %s has %d revisions: name the path of one, such as %s", name, hub, len(found), found[0])
}
