/// expat for Swift.
#include <expat.h>
