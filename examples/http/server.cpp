#include "server.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

struct HttpServer::Connection {
  // What it waits for: a request, its answer, that the client takes it, that the client goes.
  enum class Phase { asking, waiting, taking, going, gone };

  Connection(long its_number, Socket its_socket, RequestLimits limits)
      : number(its_number), socket(std::move(its_socket)), reader(limits) {}
  ~Connection() { *unwanted = true; }

  void enter(Phase next) {
    phase = next;
    since = Clock::now();
  }

  long number;
  Socket socket;
  RequestReader reader;
  Phase phase = Phase::asking;
  Clock::time_point since = Clock::now();
  std::string unsent;
  std::size_t sent = 0;  // of it
  bool stays_open = true;
  std::shared_ptr<std::atomic<bool>> unwanted =
      std::make_shared<std::atomic<bool>>(false);  // the work for it
};

struct HttpServer::Results {
  std::mutex mutex;
  std::vector<std::pair<long, HttpResponse>> done;  // by the number of the connection
  Socket bell = Socket::to_itself();
  std::atomic<bool> ended{false};
};

HttpServer::HttpServer(const std::string& host, int port, std::function<Reply(const HttpRequest&)> reply,
                       std::function<HttpResponse(int)> refusal, ServerLimits limits)
    : limits_(limits),
      reply_(std::move(reply)),
      refusal_(std::move(refusal)),
      listener_(Socket::listening_at(host, port)),
      results_(std::make_shared<Results>()),
      work_(limits.short_work, limits.long_work) {}

HttpServer::~HttpServer() { results_->ended = true; }

void HttpServer::run(const std::function<bool()>& ended) {
  while (!ended()) serve_once();
}

void HttpServer::serve_once() {
  std::vector<Connection*> served;
  std::vector<Awaited> awaited{{&listener_, true, false}, {&results_->bell, true, false}};
  bool is_idle = true;
  for (const auto& each : connections_) {
    Connection& connection = *each.second;
    served.push_back(&connection);
    // Who waits for an answer is heard, too: one that goes needs none.
    const bool is_taking = connection.phase == Connection::Phase::taking;
    awaited.push_back({&connection.socket, !is_taking && connection.reader.has_room(), is_taking});
    is_idle = is_idle && !has_asked(connection);
  }
  wait_for(awaited, is_idle ? 200 : 0);
  for (std::size_t i = 0; i < served.size(); ++i) {
    Connection& connection = *served[i];
    if (awaited[i + 2].ready)
      connection.phase == Connection::Phase::taking ? write(connection) : read(connection);
    if (has_asked(connection)) go_on(connection);
  }
  if (awaited[1].ready) results_->bell.receive();
  take_results();
  drop_late();
  if (awaited[0].ready) accept_all();
}

void HttpServer::accept_all() {
  while (std::optional<Socket> come = listener_.accept()) {
    if (connections_.size() >= limits_.connections) make_room();
    const long number = next_number_++;
    connections_[number] = std::make_unique<Connection>(number, std::move(*come), limits_.request);
  }
}

// Of those whose request is being worked on there are no more than the queue holds.
void HttpServer::make_room() {
  const auto quietest =
      std::min_element(connections_.begin(), connections_.end(), [](const auto& a, const auto& b) {
        const auto key = [](const Connection& c) {
          return std::pair(c.phase == Connection::Phase::waiting, c.since);
        };
        return key(*a.second) < key(*b.second);
      });
  connections_.erase(quietest);
}

void HttpServer::read(Connection& connection) {
  const std::optional<std::string> bytes = connection.socket.receive();
  if (!bytes) return connection.enter(Connection::Phase::gone);
  if (connection.phase == Connection::Phase::going || bytes->empty()) return;
  const bool is_first = connection.reader.is_empty();
  connection.reader.add(*bytes);
  if (connection.phase != Connection::Phase::asking) return;
  if (is_first) connection.since = Clock::now();
  if (connection.reader.wants_to_continue()) connection.socket.send("HTTP/1.1 100 Continue\r\n\r\n");
}

// Whether there is a request to answer or to refuse.
bool HttpServer::has_asked(const Connection& connection) {
  return connection.phase == Connection::Phase::asking &&
         connection.reader.state() != RequestReader::State::incomplete;
}

void HttpServer::go_on(Connection& connection) {
  if (connection.reader.state() == RequestReader::State::refused) {
    connection.stays_open = false;
    return answer(connection, refusal_(connection.reader.problem()));
  }
  const HttpRequest& request = connection.reader.request();
  connection.stays_open = request.stays_open;
  Reply reply = reply_(request);
  if (!reply.work) return answer(connection, reply.response);
  const auto work = [results = results_, number = connection.number, unwanted = connection.unwanted,
                     refusal = refusal_, make = std::move(reply.work)] {
    const auto is_unwanted = [&] { return *unwanted || results->ended; };
    if (is_unwanted()) return;
    HttpResponse response;
    try {
      response = make(is_unwanted);
    } catch (...) {
      response = refusal(500);
    }
    const std::lock_guard lock(results->mutex);
    results->done.emplace_back(number, std::move(response));
    results->bell.send("!");
  };
  if (!work_.add(reply.is_short, work)) return answer(connection, refusal_(503));
  connection.enter(Connection::Phase::waiting);
}

void HttpServer::answer(Connection& connection, const HttpResponse& response) {
  connection.unsent = bytes_of(response, connection.stays_open, connection.reader.request().method != "HEAD");
  connection.sent = 0;
  connection.enter(Connection::Phase::taking);
  write(connection);
}

void HttpServer::write(Connection& connection) {
  while (connection.sent < connection.unsent.size()) {
    const auto sent = connection.socket.send(std::string_view(connection.unsent).substr(connection.sent));
    if (!sent) return connection.enter(Connection::Phase::gone);
    if (*sent == 0) return;
    connection.sent += *sent;
  }
  connection.unsent = {};
  finish(connection);
}

void HttpServer::finish(Connection& connection) {
  if (connection.stays_open) {
    connection.enter(Connection::Phase::asking);
    connection.reader.next();  // which may have come with this one
    return;
  }
  // To close at once would take the answer back from a client that is still sending.
  connection.socket.finish();
  connection.enter(Connection::Phase::going);
}

void HttpServer::take_results() {
  std::vector<std::pair<long, HttpResponse>> done;
  {
    const std::lock_guard lock(results_->mutex);
    done.swap(results_->done);
  }
  for (const auto& [number, response] : done) {
    const auto found = connections_.find(number);
    if (found != connections_.end() && found->second->phase == Connection::Phase::waiting)
      answer(*found->second, response);
  }
}

void HttpServer::drop_late() {
  using Phase = Connection::Phase;
  const auto now = Clock::now();
  std::size_t unsent = 0;
  for (auto each = connections_.begin(); each != connections_.end();) {
    Connection& connection = *each->second;
    const auto passed = now - connection.since;
    const bool is_asking = connection.phase == Phase::asking && !connection.reader.is_empty();
    if (is_asking && passed > limits_.to_ask) {
      connection.stays_open = false;
      answer(connection, refusal_(408));
    }
    const bool is_late = (connection.phase == Phase::taking && passed > limits_.to_take) ||
                         (connection.phase == Phase::going && passed > limits_.to_go);
    unsent += connection.unsent.size();
    const bool is_too_much = unsent > limits_.unsent;
    each = connection.phase == Phase::gone || is_late || is_too_much ? connections_.erase(each) : ++each;
  }
}
