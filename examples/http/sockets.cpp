#include "sockets.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>

#ifdef _WIN32
#include <winsock2.h>
#include <ws2tcpip.h>
#else
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#endif

namespace {

#ifdef _WIN32
using Number = SOCKET;
constexpr int no_signal = 0;
void start() {
  static const int started = [] {
    WSADATA data;
    return WSAStartup(MAKEWORD(2, 2), &data);
  }();
  if (started != 0) throw std::runtime_error("the system has no network");
}
void close_socket(Number number) { closesocket(number); }
bool would_block() { return WSAGetLastError() == WSAEWOULDBLOCK; }
void set_up(Number number) {
  u_long yes = 1;
  ioctlsocket(number, FIONBIO, &yes);
}
// No other program may take the port.
void keep_port(Number number) {
  const int yes = 1;
  setsockopt(number, SOL_SOCKET, SO_EXCLUSIVEADDRUSE, reinterpret_cast<const char*>(&yes), sizeof yes);
}
std::string last_problem() {
  switch (WSAGetLastError()) {
    case WSAEADDRINUSE:
      return "Address already in use";
    case WSAEACCES:
      return "Permission denied";
    default:
      return "no such address";
  }
}
int poll(pollfd* sockets, std::size_t count, int milliseconds) {
  return WSAPoll(sockets, static_cast<ULONG>(count), milliseconds);
}
#else
using Number = int;
#ifdef MSG_NOSIGNAL
constexpr int no_signal = MSG_NOSIGNAL;
#else
constexpr int no_signal = 0;
#endif
void start() {}
void close_socket(Number number) { ::close(number); }
bool would_block() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }
void set_up(Number number) {
  fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK);
  fcntl(number, F_SETFD, FD_CLOEXEC);
#ifdef SO_NOSIGPIPE
  const int yes = 1;
  setsockopt(number, SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof yes);
#endif
}
// One that ended a moment ago does not keep it.
void keep_port(Number number) {
  const int yes = 1;
  setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
}
std::string last_problem() {
  const bool known = errno == EADDRINUSE || errno == EACCES;
  return known ? std::strerror(errno) : "no such address";
}
#endif

Number number_of(std::intptr_t socket) { return static_cast<Number>(socket); }
bool is_none(std::intptr_t socket) { return socket == -1; }

}  // namespace

Socket::Socket(Socket&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
Socket& Socket::operator=(Socket&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}
Socket::~Socket() {
  if (!is_none(number_)) close_socket(number_of(number_));
}

Socket Socket::listening_at(const std::string& host, int port) {
  start();
  addrinfo wanted{}, *list = nullptr;
  wanted.ai_family = AF_UNSPEC;
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_PASSIVE;
  if (getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &list) != 0)
    throw std::runtime_error("no such address");
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> found(list, freeaddrinfo);
  std::string problem = "no such address";
  for (const addrinfo* address = found.get(); address; address = address->ai_next) {
    Socket place(
        static_cast<std::intptr_t>(::socket(address->ai_family, address->ai_socktype, address->ai_protocol)));
    if (is_none(place.number_)) continue;
    const Number number = number_of(place.number_);
    set_up(number);
    keep_port(number);
    const auto length = static_cast<socklen_t>(address->ai_addrlen);
    if (::bind(number, address->ai_addr, length) == 0 && ::listen(number, SOMAXCONN) == 0) return place;
    problem = last_problem();
  }
  throw std::runtime_error(problem);
}

Socket Socket::to_itself() {
  start();
  Socket own(static_cast<std::intptr_t>(::socket(AF_INET, SOCK_DGRAM, 0)));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  const Number number = number_of(own.number_);
  if (is_none(own.number_) || ::bind(number, any, length) != 0 || ::getsockname(number, any, &length) != 0 ||
      ::connect(number, any, length) != 0)
    throw std::runtime_error("the system has no network within itself");
  set_up(number);
  return own;
}

int Socket::port() const {
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  ::getsockname(number_of(number_), reinterpret_cast<sockaddr*>(&address), &length);
  return ntohs(address.ss_family == AF_INET6 ? reinterpret_cast<const sockaddr_in6&>(address).sin6_port
                                             : reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

std::optional<Socket> Socket::accept() const {
  Socket come(static_cast<std::intptr_t>(::accept(number_of(number_), nullptr, nullptr)));
  if (is_none(come.number_)) return std::nullopt;
  const int yes = 1;  // an answer goes out at once
  setsockopt(number_of(come.number_), IPPROTO_TCP, TCP_NODELAY, reinterpret_cast<const char*>(&yes),
             sizeof yes);
  set_up(number_of(come.number_));
  return come;
}

std::optional<std::string> Socket::receive() const {
  std::string bytes(1 << 16, '\0');
  const auto count = ::recv(number_of(number_), bytes.data(), static_cast<int>(bytes.size()), 0);
  if (count == 0 || (count < 0 && !would_block())) return std::nullopt;
  bytes.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
  return bytes;
}

std::optional<std::size_t> Socket::send(std::string_view bytes) const {
  const std::size_t most = std::min(bytes.size(), std::size_t(1) << 20);
  const auto count = ::send(number_of(number_), bytes.data(), static_cast<int>(most), no_signal);
  if (count < 0) return would_block() ? std::optional<std::size_t>(0) : std::nullopt;
  return static_cast<std::size_t>(count);
}

void Socket::finish() const { ::shutdown(number_of(number_), 1); }  // SHUT_WR, SD_SEND

void wait_for(std::vector<Awaited>& sockets, int milliseconds) {
  std::vector<pollfd> asked;
  for (const Awaited& each : sockets)
    asked.push_back({number_of(each.socket->number_),
                     static_cast<short>((each.to_read ? POLLIN : 0) | (each.to_write ? POLLOUT : 0)), 0});
  const bool some = poll(asked.data(), static_cast<unsigned>(asked.size()), milliseconds) > 0;
  for (std::size_t i = 0; i < sockets.size(); ++i) sockets[i].ready = some && asked[i].revents != 0;
}
