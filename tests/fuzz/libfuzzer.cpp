// What libFuzzer calls (https://llvm.org/docs/LibFuzzer.html): the target that FUZZ_TARGET names.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include "targets.hpp"

using namespace gradual::fuzz;

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

const Target& target() {
  static const Target& chosen = []() -> const Target& {
    const char* const name = std::getenv("FUZZ_TARGET");
    for (const Target& each : targets())
      if (name && each.name == name) return each;
    std::cerr << "fuzz: FUZZ_TARGET must name a folder of tests/fuzz/corpus/\n";
    std::exit(2);
  }();
  return chosen;
}

std::string changed_bytes(std::string bytes) {
  const std::size_t size = bytes.size();
  bytes.resize(size + 16);
  bytes.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(bytes.data()), size, bytes.size()));
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  target().take(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  if (seed % 16 == 0) return LLVMFuzzerMutate(data, size, max_size);
  const std::string changed = target().change(std::string(reinterpret_cast<const char*>(data), size),
                                              gradual::Random(seed), changed_bytes);
  if (changed.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::memcpy(data, changed.data(), changed.size());
  return changed.size();
}
