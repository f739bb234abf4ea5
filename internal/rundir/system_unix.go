//go:build unix

package rundir

import (
	"errors"
	"os"
	"syscall"
)

// IsFull tells whether an error means that there is no room: the disk, or this
// user's share of it, is full, or a file may not become so large.
func IsFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}

// syncFolder brings a rename to the disk.
func syncFolder(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
