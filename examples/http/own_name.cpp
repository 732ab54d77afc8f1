#include "own_name.hpp"

#include <cctype>

#ifdef _WIN32
#include <ws2tcpip.h>
#else
#include <arpa/inet.h>
#endif

namespace {

std::string in_lower_case(std::string name) {
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

}  // namespace

bool is_own_name(const std::string& host_header, const std::string& host) {
  const bool bracketed = !host_header.empty() && host_header.front() == '[';
  const std::size_t end = host_header.find(bracketed ? ']' : ':');
  if (bracketed && end == std::string::npos) return false;
  const std::string name =
      in_lower_case(bracketed ? host_header.substr(1, end - 1) : host_header.substr(0, end));
  if (name.find('\0') != std::string::npos) return false;  // inet_pton() would read no further
  unsigned char address[sizeof(in6_addr)];
  if (bracketed) return inet_pton(AF_INET6, name.c_str(), address) == 1;
  return inet_pton(AF_INET, name.c_str(), address) == 1 || name == "localhost" ||
         (!name.empty() && name == in_lower_case(host));
}
