// What a file holds, in the compiler's message.
#include <gradual/core/rows/rows.hpp>
#include "/etc/passwd"
