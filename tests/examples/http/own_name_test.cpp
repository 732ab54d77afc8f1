#include "../../../examples/http/own_name.hpp"

#include <string>

#include "support/catch.hpp"

TEST_CASE(
    "own name: addresses, localhost and the host's own name are answered, with a port and in any case") {
  for (const char* own : {"127.0.0.1", "192.168.0.7:8080", "[::1]", "[fe80::1]:80", "localhost",
                          "LocalHost:8080", "desk", "Desk:80"})
    CHECK(is_own_name(own, "desk"));
}

TEST_CASE("own name: a stranger's name is not answered, even one that begins with an address") {
  for (const char* other : {"", ":8080", "example.org", "localhost.example.org", "127.0.0.1.example.org",
                            "1.2.3", "[::1", "[desk]", "desk.example.org"})
    CHECK_FALSE(is_own_name(other, "desk"));
  CHECK_FALSE(is_own_name("", ""));
  const std::string nul(1, '\0');
  CHECK_FALSE(is_own_name("127.0.0.1" + nul + ".example.org", "desk"));
  CHECK_FALSE(is_own_name("[::1" + nul + ".example.org]", "desk"));
}
