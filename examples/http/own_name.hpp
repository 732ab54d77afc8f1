// By which names a server answers.
#pragma once

#include <string>

/// Whether a Host header is one that this machine is known by: an IP address, `localhost`, or `host`. Any
/// other name may be one that a page elsewhere made to point here (DNS rebinding).
bool is_own_name(const std::string& host_header, const std::string& host);
