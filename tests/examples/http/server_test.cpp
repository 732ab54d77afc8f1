#include "../../../examples/http/server.hpp"

#include <atomic>
#include <cerrno>
#include <thread>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "support/catch.hpp"

namespace {

using namespace std::chrono_literals;

const auto refused_with = [](int status) { return HttpResponse{status, "text/plain", "refused"}; };

class RunningServer {
 public:
  RunningServer(std::function<Reply(const HttpRequest&)> reply, ServerLimits limits)
      : server_("127.0.0.1", 0, std::move(reply), refused_with, limits),
        thread_([this] { server_.run([this] { return ended_.load(); }); }) {}
  ~RunningServer() {
    ended_ = true;
    thread_.join();
  }
  int port() const { return server_.port(); }

 private:
  HttpServer server_;
  std::atomic<bool> ended_{false};
  std::thread thread_;
};

class Client {
 public:
  explicit Client(const RunningServer& server) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(server.port()));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval longest{20, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &longest, sizeof longest);
    REQUIRE(::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  }
  ~Client() { ::close(socket_); }
  bool send(const std::string& bytes) const {
    return ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
  }
  bool is_ended() const {
    char next;
    const ssize_t count = ::recv(socket_, &next, 1, MSG_PEEK | MSG_DONTWAIT);
    return count == 0 || (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK);
  }
  // What comes until the server ends the connection, or sends `last`.
  std::string read_to(const std::string& last) const {
    std::string bytes, piece(1 << 16, '\0');
    while (last.empty() || bytes.find(last) == std::string::npos) {
      const ssize_t count = ::recv(socket_, piece.data(), piece.size(), 0);
      if (count <= 0) break;
      bytes.append(piece, 0, static_cast<std::size_t>(count));
    }
    return bytes;
  }

 private:
  int socket_;
};

const std::string question = "POST /path?x=1 HTTP/1.1\r\nHost: here\r\nContent-Length: 5\r\n\r\nhello";

Reply echo(const HttpRequest& request) {
  return {{200, "text/plain",
           request.method + " " + request.path + " " + request.body + " " + request.header("host") +
               request.header("none") + "."}};
}

}  // namespace

TEST_CASE("http server: what a reply throws is an error of the server's, and others are answered") {
  const RunningServer server(
      [](const HttpRequest& request) {
        if (request.path == "/path") throw std::runtime_error("no such folder");
        return echo(request);
      },
      {});
  CHECK(Client(server).send(question));
  const Client client(server);
  client.send(question);
  CHECK(client.read_to("refused").rfind("HTTP/1.1 500", 0) == 0);
  const Client other(server);
  other.send("GET /other HTTP/1.1\r\nHost: here\r\n\r\n");
  CHECK(other.read_to("GET /other").rfind("HTTP/1.1 200", 0) == 0);
}

TEST_CASE("http: requests are answered one after the other, however they come in pieces") {
  const RunningServer server(echo, {});
  const Client client(server);
  for (std::size_t cut = 1; cut < question.size(); cut += 7) {
    REQUIRE(client.send(question.substr(0, cut)));
    REQUIRE(client.send(question.substr(cut)));
    const std::string answer = client.read_to("here.");
    CHECK_THAT(answer, Catch::Matchers::StartsWith("HTTP/1.1 200"));
    CHECK_THAT(answer, Catch::Matchers::EndsWith("POST /path hello here."));
  }
}

TEST_CASE("http: a request that drips is ended after its time, however often a byte comes") {
  ServerLimits limits;
  limits.to_ask = 300ms;
  const RunningServer server(echo, limits);
  const Client dripping(server), silent(server);
  const auto begun = std::chrono::steady_clock::now();
  for (std::size_t at = 0; !dripping.is_ended() && std::chrono::steady_clock::now() < begun + 20s; ++at) {
    dripping.send(question.substr(at % (question.size() - 1), 1));
    std::this_thread::sleep_for(20ms);
  }
  CHECK(dripping.is_ended());
  CHECK(silent.read_to("").empty());
  CHECK(std::chrono::steady_clock::now() < begun + 15s);
}

TEST_CASE("http: of more connections than there may be the one that has been quiet for longest is ended") {
  ServerLimits limits;
  limits.connections = 2;
  const RunningServer server(echo, limits);
  const Client first(server);
  std::this_thread::sleep_for(10ms);
  const Client second(server);
  std::this_thread::sleep_for(10ms);
  REQUIRE(first.send(question));
  first.read_to("here.");
  const Client third(server);
  CHECK(second.read_to("").empty());
  for (const Client* client : {&first, &third}) {
    CHECK(client->send(question));
    CHECK_FALSE(client->read_to("here.").empty());
  }
}

TEST_CASE("http: an answer that nobody takes is dropped") {
  ServerLimits limits;
  const std::size_t size = std::size_t(64) << 20;
  SECTION("after its time") { limits.to_take = 300ms; }
  SECTION("where there are too many bytes of such answers") { limits.unsent = size - 1; }
  const RunningServer server(
      [=](const HttpRequest&) {
        return Reply{{200, "text/plain", std::string(size, 'x')}};
      },
      limits);
  const Client client(server);
  REQUIRE(client.send(question));
  std::this_thread::sleep_for(2s);
  CHECK(client.read_to("").size() < size);
}

TEST_CASE(
    "http: while work waits others are answered, a full queue says so, and who leaves is not worked for") {
  ServerLimits limits;
  limits.long_work = 1;
  std::atomic<int> asked{0}, begun{0}, unwanted{0};
  std::atomic<bool> done{false};
  const RunningServer server(
      [&](const HttpRequest& request) -> Reply {
        ++asked;
        if (request.path == "/quick") return echo(request);
        return {{},
                [&](const std::function<bool()>& is_unwanted) {
                  ++begun;
                  while (!done && !is_unwanted()) std::this_thread::sleep_for(1ms);
                  if (is_unwanted()) ++unwanted;
                  return HttpResponse{200, "text/plain", "worked"};
                },
                false};
      },
      limits);
  const auto wait_for = [](const auto& condition) {
    const auto end = std::chrono::steady_clock::now() + 20s;
    while (!condition() && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(1ms);
    return condition();
  };
  auto leaving = std::make_unique<Client>(server);
  const Client waiting(server), refused(server), quick(server);
  REQUIRE(leaving->send(question));
  REQUIRE(wait_for([&] { return begun == 1; }));
  REQUIRE(waiting.send(question));
  REQUIRE(wait_for([&] { return asked == 2; }));
  REQUIRE(refused.send(question));
  CHECK_THAT(refused.read_to("refused"), Catch::Matchers::StartsWith("HTTP/1.1 503"));
  REQUIRE(quick.send("GET /quick HTTP/1.1\r\nHost: here\r\n\r\n"));
  CHECK_FALSE(quick.read_to("here.").empty());
  leaving.reset();
  CHECK(wait_for([&] { return begun == 2 && unwanted == 1; }));
  done = true;
  CHECK_THAT(waiting.read_to("worked"), Catch::Matchers::EndsWith("worked"));
}

TEST_CASE("http: what is too large or of unknown size is refused, and so is what cannot be made") {
  const RunningServer server(
      [](const HttpRequest&) -> Reply {
        return {{}, [](const std::function<bool()>&) -> HttpResponse { throw std::runtime_error("no"); }};
      },
      {});
  const auto status_of = [&](const std::string& headers, const std::string& body = "") {
    const Client client(server);
    client.send("POST / HTTP/1.1\r\nHost: here\r\n" + headers + "\r\n" + body);
    return client.read_to("\r\n").substr(9, 3);
  };
  CHECK(status_of("Content-Length: 16384\r\n", std::string(16384, 'x')) == "500");
  CHECK(status_of("Content-Length: 16385\r\n") == "413");
  CHECK(status_of("Transfer-Encoding: chunked\r\n") == "411");
  CHECK(status_of("Content-Encoding: gzip\r\nContent-Length: 1\r\n") == "415");
  CHECK(status_of("A: " + std::string(40000, 'x') + "\r\n") == "431");
}

TEST_CASE("http: a server that ends does not wait for its clients, whatever they wait for") {
  const auto begun = std::chrono::steady_clock::now();
  std::unique_ptr<Client> idle, working, waiting;
  {
    const RunningServer server(
        [](const HttpRequest&) -> Reply {
          return {{},
                  [](const std::function<bool()>& unwanted) {
                    while (!unwanted()) std::this_thread::sleep_for(1ms);
                    return HttpResponse{};
                  },
                  false};
        },
        {});
    for (std::unique_ptr<Client>* client : {&idle, &working, &waiting})
      *client = std::make_unique<Client>(server);
    working->send(question);
    waiting->send(question);
    std::this_thread::sleep_for(100ms);
  }
  CHECK(std::chrono::steady_clock::now() < begun + 2s);
}

TEST_CASE("http: a server that ends begins no more of the work that waits") {
  std::atomic<int> begun{0};
  std::vector<std::unique_ptr<Client>> clients;
  {
    const RunningServer server(
        [&](const HttpRequest&) -> Reply {
          return {{}, [&](const std::function<bool()>& unwanted) {
                    ++begun;
                    while (!unwanted()) std::this_thread::sleep_for(1ms);
                    return HttpResponse{};
                  }};
        },
        {});
    for (int i = 0; i < 20; ++i) {
      clients.push_back(std::make_unique<Client>(server));
      clients.back()->send(question);
    }
    for (int i = 0; begun < 2 && i < 10000; ++i) std::this_thread::sleep_for(1ms);
    std::this_thread::sleep_for(300ms);  // until the others wait
  }
  CHECK(begun == 2);  // one on each thread of the queue
}
