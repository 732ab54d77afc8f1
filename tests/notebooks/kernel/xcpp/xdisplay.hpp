// Stands in for the header of the same name of xeus-cling and xeus-cpp: prints what a kernel would send to
// the page.
#pragma once

#include <iostream>
#include <nlohmann/json.hpp>

namespace xcpp {

template <class Value>
void display(const Value& value) {
  std::cout << mime_bundle_repr(value).dump() << "\n";
}

}  // namespace xcpp
