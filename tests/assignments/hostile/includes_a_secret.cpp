// What a file holds, in the compiler's message.
#include "/etc/passwd"
#include <gradual/core/rows/rows.hpp>
