// What is asked and answered over HTTP/1.1 (RFC 9112), as far as a page of one's own needs it.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

struct HttpRequest {
  std::string method, target;                  // "POST", "/translate"
  std::map<std::string, std::string> headers;  // by their names in small letters
  std::string body;
  bool stays_open = true;  // whether the client may ask again on this connection

  /// The value of a header; nothing where it is not there.
  std::string header(const std::string& name_in_small_letters) const;
};

struct HttpResponse {
  int status = 200;
  std::string type, body;
  std::vector<std::pair<std::string, std::string>> headers = {};
};

/// The bytes of a response, without its body for a HEAD request.
std::string bytes_of(const HttpResponse& response, bool stays_open, bool with_body);

/// How much a request may hold.
struct RequestLimits {
  std::size_t head = 16384, body = 16384;  // bytes
  std::size_t headers = 100;
};

/// Reads requests from bytes as they come. Whatever is not plainly a request is refused: two lengths, a
/// length in chunks, lines that are folded, control characters.
class RequestReader {
 public:
  enum class State { incomplete, complete, refused };

  explicit RequestReader(RequestLimits limits) : limits_(limits) {}

  /// Takes bytes, which may be the beginning of the next request.
  State add(std::string_view bytes);
  State state() const { return state_; }
  /// Whether nothing of a request has come yet.
  bool is_empty() const { return received_.empty() && !has_head_; }
  /// Whether it should be given more bytes, rather than leave them where they are.
  bool has_room() const { return received_.size() <= limits_.head; }
  /// Whether the client wants to hear that it may send the body; once for each request.
  bool wants_to_continue();
  const HttpRequest& request() const { return request_; }
  /// Why a request was refused: 400, 411, 413, 415, 431 or 505.
  int problem() const { return problem_; }
  /// Starts on the request behind one that is complete.
  State next();

 private:
  State read();
  State refuse(int status);
  int problem_of_head(std::string_view head);  // 0: none
  bool read_header(std::string_view line);

  RequestLimits limits_;
  State state_ = State::incomplete;
  std::string received_;  // what is not yet in the request
  std::size_t searched_ = 0, length_ = 0;
  bool has_head_ = false, expects_ = false;
  int problem_ = 0;
  HttpRequest request_;
};
