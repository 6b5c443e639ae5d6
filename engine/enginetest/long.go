package enginetest

import "os"

// Long reports whether the long tests were asked for, by HOPLITE_LONG=1 in the environment. They replay everything;
// the short form of each leaves out what takes minutes.
func Long() bool { return os.Getenv("HOPLITE_LONG") != "" }
