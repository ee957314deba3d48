// The minimum memory of a statically linked Swift program with FoundationEssentials.
//
// It reads and writes one small JSON object, for which the library is linked, prints a message, and
// sleeps until its input ends.
import FoundationEssentials
import Glibc

let object = try JSONDecoder().decode([String: Int].self, from: Data(#"{"ready":1}"#.utf8))
print(try JSONEncoder().encode(object).isEmpty ? "empty" : "ready")
fflush(nil)
_ = getchar()
