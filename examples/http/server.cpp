#include "server.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <stdexcept>

#include <microhttpd.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include "work_queue.hpp"

namespace {

std::string header_of(MHD_Connection* handle, const char* name) {
  const char* const value = MHD_lookup_connection_value(handle, MHD_HEADER_KIND, name);
  return value ? value : "";
}

// The status of the refusal; 0: none.
int problem_of_head(MHD_Connection* handle, std::size_t longest_body) {
  if (!header_of(handle, "Transfer-Encoding").empty()) return 411;
  if (!header_of(handle, "Content-Encoding").empty()) return 415;
  const std::string length = header_of(handle, "Content-Length");
  return std::strtoull(length.c_str(), nullptr, 10) > longest_body ? 413 : 0;
}

}  // namespace

class HttpServer::Loop {
 public:
  Loop(const std::string& host, int port, std::function<Reply(const HttpRequest&)> reply,
       std::function<HttpResponse(int)> refusal, ServerLimits limits)
      : limits_(limits),
        reply_(std::move(reply)),
        refusal_(std::move(refusal)),
        daemon_(listening_at(host, port), MHD_stop_daemon),
        work_(limits.short_work, limits.long_work) {}
  ~Loop() { ended_ = true; }

  int port() const { return MHD_get_daemon_info(daemon_.get(), MHD_DAEMON_INFO_BIND_PORT)->port; }

  void run(const std::function<bool()>& ended) {
    while (!ended()) {
      // Without a thread of its own libmicrohttpd does not wake for an answer that was made.
      const bool works = std::any_of(connections_.begin(), connections_.end(),
                                     [](const auto& each) { return each.second.phase == Phase::waiting; });
      MHD_run_wait(daemon_.get(), works ? 2 : 200);
      drop_late();
    }
  }

 private:
  using Clock = std::chrono::steady_clock;

  struct Connection {
    // What it waits for: a request, its answer, that the client takes it, that libmicrohttpd hears of its
    // end.
    enum class Phase { asking, waiting, taking, dropped };

    explicit Connection(int its_socket) : socket(its_socket) {}
    void enter(Phase next) {
      phase = next;
      since = Clock::now();
    }
    // libmicrohttpd limits no request as a whole; this way it sees its client go.
    void drop() {
      enter(Phase::dropped);
      ::shutdown(socket, SHUT_RDWR);
    }
    bool is_left() const {
      char next;
      const auto come = ::recv(socket, &next, 1, MSG_PEEK | MSG_DONTWAIT);
      return come == 0 || (come < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
    }

    const int socket;
    Phase phase = Phase::asking;
    Clock::time_point since = Clock::now();
    std::string body;                    // of the request, as far as it has come
    std::optional<HttpResponse> answer;  // once it is made
  };

  using Phase = Connection::Phase;

  // Why nobody can listen there, tried once more: errno is not what libmicrohttpd 1 leaves as it was.
  static int problem_with(const addrinfo& place) {
    const int socket = ::socket(place.ai_family, place.ai_socktype, place.ai_protocol);
    if (socket < 0) return errno;
    const int problem = ::bind(socket, place.ai_addr, place.ai_addrlen) == 0 ? 0 : errno;
    ::close(socket);
    return problem;
  }

  MHD_Daemon* listening_at(const std::string& host, int port) {
    addrinfo wanted{}, *list = nullptr;
    wanted.ai_socktype = SOCK_STREAM;
    wanted.ai_flags = AI_PASSIVE;
    if (getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &list) != 0)
      throw std::runtime_error("no such address");
    const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> found(list, freeaddrinfo);
    int problem = 0;
    for (const addrinfo* place = found.get(); place; place = place->ai_next) {
      unsigned flags = unsigned(MHD_USE_AUTO) | unsigned(MHD_ALLOW_SUSPEND_RESUME);
      if (place->ai_family == AF_INET6) flags |= unsigned(MHD_USE_DUAL_STACK);
      MHD_Daemon* const daemon = MHD_start_daemon(
          flags, 0, nullptr, nullptr, &on_request, this, MHD_OPTION_SOCK_ADDR, place->ai_addr,
          MHD_OPTION_NOTIFY_CONNECTION, &on_connection, this, MHD_OPTION_NOTIFY_COMPLETED, &on_taken, this,
          MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits_.head, MHD_OPTION_CONNECTION_LIMIT,
          static_cast<unsigned>(limits_.connections + 20), MHD_OPTION_END);  // 20: that are dropped
      if (daemon) return daemon;
      problem = problem_with(*place);
    }
    throw std::runtime_error(problem == EADDRINUSE || problem == EACCES ? std::strerror(problem)
                                                                        : "no such address");
  }

  static void on_connection(void* self, MHD_Connection* handle, void**, MHD_ConnectionNotificationCode what) {
    auto& connections = static_cast<Loop*>(self)->connections_;
    if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
      connections.erase(handle);
      return;
    }
    static_cast<Loop*>(self)->make_room();
    connections.try_emplace(handle,
                            MHD_get_connection_info(handle, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd);
  }

  static void on_taken(void* self, MHD_Connection* handle, void**, MHD_RequestTerminationCode) {
    Connection& connection = static_cast<Loop*>(self)->connections_.at(handle);
    connection.body.clear();
    connection.answer.reset();
    if (connection.phase != Phase::dropped) connection.enter(Phase::asking);
  }

  // Called with the head of a request, with each piece of its body, with nothing more, and again after it
  // waited for its answer.
  static MHD_Result on_request(void* self, MHD_Connection* handle, const char* path, const char* method,
                               const char*, const char* piece, std::size_t* size, void** begun) {
    Loop& loop = *static_cast<Loop*>(self);
    Connection& connection = loop.connections_.at(handle);
    if (connection.answer) return loop.answer(connection, handle);
    if (!*begun) {
      *begun = self;
      const int problem = problem_of_head(handle, loop.limits_.body);
      return problem == 0 ? MHD_YES : loop.answer(connection, handle, loop.refusal_(problem));
    }
    if (*size > 0) {
      connection.body.append(piece, std::exchange(*size, 0));
      return MHD_YES;
    }
    Reply reply;
    try {
      reply = loop.reply_({method, path, std::move(connection.body),
                           [handle](const char* name) { return header_of(handle, name); }});
    } catch (...) {  // must not leave through a library in C
      return loop.answer(connection, handle, loop.refusal_(500));
    }
    if (!reply.work) return loop.answer(connection, handle, std::move(reply.response));
    loop.work_on(connection, handle, std::move(reply));
    return MHD_YES;
  }

  MHD_Result answer(Connection& connection, MHD_Connection* handle, HttpResponse response) {
    connection.answer = std::move(response);
    return answer(connection, handle);
  }
  MHD_Result answer(Connection& connection, MHD_Connection* handle) {
    const HttpResponse& response = *connection.answer;
    const std::unique_ptr<MHD_Response, decltype(&MHD_destroy_response)> made(
        MHD_create_response_from_buffer(response.body.size(), const_cast<char*>(response.body.data()),
                                        MHD_RESPMEM_PERSISTENT),
        MHD_destroy_response);
    if (!response.type.empty()) MHD_add_response_header(made.get(), "Content-Type", response.type.c_str());
    for (const auto& [name, value] : response.headers)
      MHD_add_response_header(made.get(), name.c_str(), value.c_str());
    connection.enter(Phase::taking);
    return MHD_queue_response(handle, static_cast<unsigned>(response.status), made.get());
  }

  // A connection that is suspended stays until it is resumed.
  void work_on(Connection& connection, MHD_Connection* handle, Reply reply) {
    connection.enter(Phase::waiting);
    MHD_suspend_connection(handle);
    const auto work = [this, &connection, handle, make = std::move(reply.work)] {
      try {
        connection.answer = ended_ ? refusal_(503) : make([&] { return ended_ || connection.is_left(); });
      } catch (...) {
        connection.answer = refusal_(500);
      }
      MHD_resume_connection(handle);
    };
    if (work_.add(reply.is_short, work)) return;
    connection.answer = refusal_(503);
    MHD_resume_connection(handle);
  }

  // Of those whose request is being worked on there are no more than the queue holds.
  void make_room() {
    const auto key = [](const auto& each) {
      const Phase phase = each.second.phase;
      return std::pair(phase == Phase::waiting || phase == Phase::dropped, each.second.since);
    };
    const auto quietest = std::min_element(connections_.begin(), connections_.end(),
                                           [&](const auto& a, const auto& b) { return key(a) < key(b); });
    if (connections_.size() >= limits_.connections && !key(*quietest).first) quietest->second.drop();
  }

  void drop_late() {
    const auto now = Clock::now();
    std::size_t unsent = 0;
    for (auto& [handle, connection] : connections_) {
      const auto passed = now - connection.since;
      if (connection.phase == Phase::taking) unsent += connection.answer->body.size();
      if ((connection.phase == Phase::asking && passed > limits_.to_ask) ||
          (connection.phase == Phase::taking && (passed > limits_.to_take || unsent > limits_.unsent)))
        connection.drop();
    }
  }

  const ServerLimits limits_;
  const std::function<Reply(const HttpRequest&)> reply_;
  const std::function<HttpResponse(int)> refusal_;
  std::atomic<bool> ended_{false};
  std::map<MHD_Connection*, Connection> connections_;
  std::unique_ptr<MHD_Daemon, void (*)(MHD_Daemon*)> daemon_;
  WorkQueue work_;  // last: its threads end first
};

HttpServer::HttpServer(const std::string& host, int port, std::function<Reply(const HttpRequest&)> reply,
                       std::function<HttpResponse(int)> refusal, ServerLimits limits)
    : loop_(std::make_unique<Loop>(host, port, std::move(reply), std::move(refusal), limits)) {}
HttpServer::~HttpServer() = default;
int HttpServer::port() const { return loop_->port(); }
void HttpServer::run(const std::function<bool()>& ended) { loop_->run(ended); }
