// The least that a statically linked Swift program with FoundationEssentials holds in memory.
//
// It reads and writes one small JSON object, which is what the library is linked for, says that it
// is there, and sleeps until its input ends.
import FoundationEssentials
import Glibc

let object = try JSONDecoder().decode([String: Int].self, from: Data(#"{"ready":1}"#.utf8))
print(try JSONEncoder().encode(object).isEmpty ? "empty" : "ready")
fflush(nil)
_ = getchar()
