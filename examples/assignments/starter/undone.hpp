// What stands in a starter where your own lines go.
#pragma once

namespace gradual {

/// Throws. The grader sees a call of it in the compiled file and counts the part as not begun.
[[noreturn]] void undone();

}  // namespace gradual
