//go:build unix

package rundir

import (
	"errors"
	"os"
	"syscall"
)

// IsFull tells whether an error means that the disk, or this user's share of
// it, is full.
func IsFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// syncFolder brings a rename to the disk.
func syncFolder(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
