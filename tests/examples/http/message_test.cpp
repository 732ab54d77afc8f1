#include "../../../examples/http/message.hpp"

#include <string>

#include "support/catch.hpp"

namespace {

using State = RequestReader::State;

const std::string question =
    "POST /translate HTTP/1.1\r\nHost: localhost:8080\r\nContent-Type:application/json \r\nContent-Length: "
    "5\r\n\r\n"
    "hello";

RequestReader reader_of(const std::string& bytes) {
  RequestReader reader{RequestLimits{}};
  reader.add(bytes);
  return reader;
}

int problem_of(const std::string& bytes) {
  const RequestReader reader = reader_of(bytes);
  return reader.state() == State::refused ? reader.problem() : 0;
}

std::string with_header(const std::string& header) { return "GET / HTTP/1.1\r\n" + header + "\r\n\r\n"; }

}  // namespace

TEST_CASE("http: a request has its method, target, headers and body") {
  const RequestReader reader = reader_of(question);
  REQUIRE(reader.state() == State::complete);
  CHECK(reader.request().method == "POST");
  CHECK(reader.request().target == "/translate");
  CHECK(reader.request().header("host") == "localhost:8080");
  CHECK(reader.request().header("content-type") == "application/json");
  CHECK(reader.request().header("origin").empty());
  CHECK(reader.request().body == "hello");
  CHECK(reader.request().stays_open);
}

TEST_CASE("http: a request may come in any pieces, and the next one right behind it") {
  for (std::size_t piece = 1; piece <= 2 * question.size(); ++piece) {
    RequestReader reader{RequestLimits{}};
    const std::string two = question + question;
    int complete = 0;
    for (std::size_t at = 0; at < two.size(); at += piece) {
      State state = reader.add(std::string_view(two).substr(at, piece));
      for (; state == State::complete; state = reader.next()) {
        CHECK(reader.request().body == "hello");
        CHECK(reader.request().headers.size() == 3);
        ++complete;
      }
      REQUIRE(state == State::incomplete);
    }
    CHECK(complete == 2);
    CHECK(reader.is_empty());
  }
}

TEST_CASE("http: a connection stays open as its client wants it") {
  const auto stays_open = [](const std::string& bytes) { return reader_of(bytes).request().stays_open; };
  CHECK(stays_open("GET / HTTP/1.1\r\n\r\n"));
  CHECK_FALSE(stays_open(with_header("Connection: Close")));
  CHECK_FALSE(stays_open("GET / HTTP/1.0\r\n\r\n"));
  CHECK(stays_open("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"));
}

TEST_CASE("http: a client that asks before it sends is told to, once") {
  RequestReader reader = reader_of("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n");
  CHECK(reader.wants_to_continue());
  CHECK_FALSE(reader.wants_to_continue());
  CHECK(reader.add("x") == State::complete);
}

TEST_CASE("http: what is not plainly a request is refused") {
  for (const char* bytes :
       {"hello\r\n\r\n", "\r\n\r\n", "GET /\r\n\r\n", "GET  HTTP/1.1\r\n\r\n", " / HTTP/1.1\r\n\r\n",
        "GET / / HTTP/1.1\r\n\r\n", "GET http://a/ HTTP/1.1\r\n\r\n", "GET / FTP/1.1\r\n\r\n",
        "G\tT / HTTP/1.1\r\n\r\n", "GET /\x01 HTTP/1.1\r\n\r\n"})
    CHECK(problem_of(bytes) == 400);
  CHECK(problem_of(std::string("GET /\0 HTTP/1.1\r\n\r\n", 19)) == 400);
  for (const char* header :
       {"no colon", ": no name", "two words: x", " folded: x", "A: 1\r\n folded", "A: \x01", "A: x\ny",
        "Host: a\r\nHost: b", "Content-Length: 1\r\nContent-Length: 1", "Content-Length: ",
        "Content-Length: -1", "Content-Length: 1, 2", "Content-Length: 0x1", "Origin: a\r\nOrigin: b"})
    CHECK(problem_of(with_header(header)) == 400);
  CHECK(problem_of(with_header("Transfer-Encoding: chunked")) == 411);
  CHECK(problem_of(with_header("Content-Encoding: gzip")) == 415);
  CHECK(problem_of("GET / HTTP/2.0\r\n\r\n") == 505);
}

TEST_CASE("http: sizes have their limits, and are as large as those allow") {
  const auto with_body = [](std::size_t size) {
    return "POST / HTTP/1.1\r\nContent-Length: " + std::to_string(size) + "\r\n\r\n" + std::string(size, 'x');
  };
  CHECK(reader_of(with_body(16384)).request().body.size() == 16384);
  CHECK(problem_of(with_body(16385)) == 413);
  CHECK(problem_of(with_header("Content-Length: 99999999999999999999999")) == 413);

  const std::string around = with_header("A: ");
  CHECK(problem_of(with_header("A: " + std::string(16384 - (around.size() - 4), 'x'))) == 0);
  CHECK(problem_of(with_header("A: " + std::string(16385 - (around.size() - 4), 'x'))) == 431);
  CHECK(problem_of(std::string(16384, 'x')) == 0);  // its end may still come
  CHECK(problem_of(std::string(16385, 'x')) == 431);

  const auto with_headers = [](int count) {
    std::string bytes = "GET / HTTP/1.1\r\n";
    for (int i = 0; i < count; ++i) bytes += "A" + std::to_string(i) + ": x\r\n";
    return bytes + "\r\n";
  };
  CHECK(reader_of(with_headers(100)).state() == State::complete);
  CHECK(problem_of(with_headers(101)) == 431);
}

TEST_CASE("http: what comes after a refused request is not read") {
  RequestReader reader = reader_of("nonsense\r\n\r\n");
  CHECK(reader.add(question) == State::refused);
  CHECK(reader.next() == State::refused);
}

TEST_CASE("http: a response says how long it is and whether more may be asked") {
  CHECK(bytes_of({200, "text/plain", "hello", {{"A", "b"}}}, true, true) ==
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\nA: b\r\nConnection: "
        "keep-alive\r\n\r\n"
        "hello");
  CHECK(bytes_of({204, "", ""}, false, true) == "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
  CHECK(
      bytes_of({404, "text/plain", "gone"}, false, false) ==
      "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 4\r\nConnection: close\r\n\r\n");
}
