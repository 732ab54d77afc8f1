// A server that nobody can keep from answering others: libmicrohttpd reads and writes for all connections in
// one loop; work that takes its time waits in a queue.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

struct HttpRequest {
  std::string method, path, body;
  const std::function<std::string(const char* name)> header;  ///< its value; nothing where it is not there
};

struct HttpResponse {
  int status = 200;
  std::string type, body;
  std::vector<std::pair<std::string, std::string>> headers = {};
};

/// An answer, or work that makes one.
struct Reply {
  HttpResponse response;
  std::function<HttpResponse(const std::function<bool()>& unwanted)> work =
      {};                ///< ends early when unwanted()
  bool is_short = true;  ///< the work
};

struct ServerLimits {
  std::size_t head = 32768, body = 16384;  ///< bytes of a request
  std::size_t connections =
      200;  ///< at a time; the one that has been quiet for longest makes room for one more
  std::size_t unsent = std::size_t(64)
                       << 20;  ///< bytes of answers that clients have yet to take, of all together
  std::chrono::milliseconds to_ask{20000},  ///< for a whole request, from the last answer or the connection
      to_take{30000};                       ///< for an answer to be taken
  std::size_t short_work = 128, long_work = 16;  ///< that may wait
};

class HttpServer {
 public:
  /// Listens at a port, 0 for any that is free. `reply` is asked for each request, and `refusal` what to say
  /// to one that is not answered, by its status: 411, 413, 415, 500 or 503. Throws std::runtime_error where
  /// it cannot listen there.
  HttpServer(const std::string& host, int port, std::function<Reply(const HttpRequest&)> reply,
             std::function<HttpResponse(int status)> refusal, ServerLimits limits = {});
  ~HttpServer();
  int port() const;
  /// Serves until `ended()`, which is asked five times a second and after each signal.
  void run(const std::function<bool()>& ended);

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};
