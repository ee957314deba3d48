// The least that a statically linked Swift program with FoundationEssentials holds in memory.
//
// It touches the library once, says that it is there, and sleeps until its input ends.
import FoundationEssentials
import Glibc

print(Date.now > Date.distantPast ? "ready" : "early")
fflush(nil)
_ = getchar()
