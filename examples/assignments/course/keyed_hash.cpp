#include "keyed_hash.hpp"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <stdexcept>

std::string keyed_hash(const std::string& key, const std::string& text) {
  std::string hash(32, '\0');
  unsigned int length = 0;
  if (!HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
            reinterpret_cast<const unsigned char*>(text.data()), text.size(),
            reinterpret_cast<unsigned char*>(hash.data()), &length) ||
      length != hash.size())
    throw std::runtime_error("course: libcrypto has no HMAC-SHA-256");
  return hash;
}

std::uint64_t keyed_seed(const std::string& key, const std::string& text) {
  std::uint64_t seed = 0;
  const std::string hash = keyed_hash(key, text);
  for (std::size_t i = 0; i < 8; ++i) seed = seed << 8 | static_cast<unsigned char>(hash[i]);
  return seed;
}

std::string new_key() {
  std::string key(key_bytes, '\0');
  if (RAND_bytes(reinterpret_cast<unsigned char*>(key.data()), static_cast<int>(key.size())) != 1)
    throw std::runtime_error("course: the system gives no random bytes for a key");
  return key;
}

std::string to_hex(const std::string& bytes) {
  std::string digits;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    digits += "0123456789abcdef"[byte >> 4];
    digits += "0123456789abcdef"[byte & 15];
  }
  return digits;
}

std::string from_hex(const std::string& digits) {
  const std::string all = "0123456789abcdef";
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const auto high = all.find(digits[i]), low = i + 1 < digits.size() ? all.find(digits[i + 1]) : all.npos;
    if (high == all.npos || low == all.npos)
      throw std::invalid_argument("course: a key is an even number of digits 0 to f");
    bytes += static_cast<char>(high << 4 | low);
  }
  return bytes;
}
