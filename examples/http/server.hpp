// A server that nobody can keep from answering others: one thread reads and writes for all connections and
// waits for none of them; work that takes its time waits in a queue.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "message.hpp"
#include "sockets.hpp"
#include "work_queue.hpp"

struct ServerLimits {
  RequestLimits request;
  std::size_t connections =
      200;  ///< at a time; the one that has been quiet for longest makes room for one more
  std::size_t unsent = std::size_t(64)
                       << 20;               ///< bytes of answers that are not on their way, of all together
  std::chrono::milliseconds to_ask{10000},  ///< for a request, from its first byte to its last
      to_take{30000},                       ///< for an answer to be taken
      to_go{1000};                          ///< for a client to hear that nothing more comes
  std::size_t short_work = 128, long_work = 16;  ///< that may wait
};

/// An answer, or work that makes one.
struct Reply {
  HttpResponse response;
  std::function<HttpResponse(const std::function<bool()>& unwanted)> work =
      {};                ///< ends early when unwanted()
  bool is_short = true;  ///< the work
};

class HttpServer {
 public:
  /// Listens at a port, 0 for any that is free. `reply` is asked for each request, and `refusal` what to say
  /// to one that is not answered, by its status. Throws std::runtime_error where it cannot listen there.
  HttpServer(const std::string& host, int port, std::function<Reply(const HttpRequest&)> reply,
             std::function<HttpResponse(int status)> refusal, ServerLimits limits = {});
  ~HttpServer();
  int port() const { return listener_.port(); }
  /// Serves until `ended()`, which is asked five times a second and after each signal.
  void run(const std::function<bool()>& ended);

 private:
  using Clock = std::chrono::steady_clock;
  struct Connection;
  struct Results;  // of work, as it is done

  void serve_once();
  void accept_all();
  void make_room();
  void read(Connection& connection);
  static bool has_asked(const Connection& connection);
  void go_on(Connection& connection);
  void answer(Connection& connection, const HttpResponse& response);
  void write(Connection& connection);
  void finish(Connection& connection);
  void take_results();
  void drop_late();

  ServerLimits limits_;
  std::function<Reply(const HttpRequest&)> reply_;
  std::function<HttpResponse(int)> refusal_;
  Socket listener_;
  std::shared_ptr<Results> results_;
  std::map<long, std::unique_ptr<Connection>> connections_;  // by the order in which they came
  long next_number_ = 0;
  WorkQueue work_;  // last: its threads end first
};
