package rundir

import (
	"errors"

	"golang.org/x/sys/windows"
)

// IsFull tells whether an error means that the disk is full.
func IsFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}

// syncFolder does nothing: folders can't be synced here.
func syncFolder(string) error { return nil }
