// Files that are whole or absent: written under another name, brought to the
// disk, then renamed.
package rundir

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// WriteFile writes a whole file of the folder at path, or leaves the one that
// was there.
func WriteFile(path, name string, data []byte) error {
	return replace(path, name, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// replace writes a file by write and puts it in place.
func replace(path, name string, write func(io.Writer) error) (err error) {
	// One writer a file, so one name will do, and a crash leaves one at most.
	temporary := filepath.Join(path, "."+name+".tmp")
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("write %s: %w", name, err)
			f.Close()
			os.Remove(temporary)
		}
	}()
	buf := bufio.NewWriterSize(f, appendBuffer)
	if err := write(buf); err != nil {
		return err
	}
	if err := errors.Join(buf.Flush(), f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(temporary, filepath.Join(path, name)); err != nil {
		return err
	}
	return syncFolder(path)
}
