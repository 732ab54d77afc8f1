// Seeds that only the holder of a key can work out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

/// HMAC-SHA-256 of a text under a key, as 32 bytes (RFC 2104), by libcrypto.
std::string keyed_hash(const std::string& key, const std::string& text);

/// Its first eight bytes as a number, the highest first.
std::uint64_t keyed_seed(const std::string& key, const std::string& text);

constexpr std::size_t key_bytes = 32;
/// So many from the system's source of randomness. Throws std::runtime_error where it has none.
std::string new_key();

std::string to_hex(const std::string& bytes);
/// Throws std::invalid_argument for what is no even number of hexadecimal digits.
std::string from_hex(const std::string& digits);
