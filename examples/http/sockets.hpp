// Connections over a network, none of which keeps anybody waiting: on the system at hand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// An open connection, or a place where they come in; closed with its life.
class Socket {
 public:
  explicit Socket(std::intptr_t number) : number_(number) {}
  Socket(Socket&& other) noexcept;
  Socket& operator=(Socket&& other) noexcept;
  ~Socket();

  /// A place where connections come in. Throws std::runtime_error with what is wrong with it. Port 0 is any
  /// that is free.
  static Socket listening_at(const std::string& host, int port);
  /// A place that sends to itself: whoever waits for it can be woken by any thread.
  static Socket to_itself();

  int port() const;
  /// A connection that has come in; nothing where there is none.
  std::optional<Socket> accept() const;
  /// Bytes that have come, at most 64 KiB: none where there are none yet. Nothing at the end.
  std::optional<std::string> receive() const;
  /// How many of the bytes are on their way: 0 where there is no room now. Nothing where nobody takes them.
  std::optional<std::size_t> send(std::string_view bytes) const;
  /// Says that no more will be sent.
  void finish() const;

 private:
  friend void wait_for(std::vector<struct Awaited>& sockets, int milliseconds);
  std::intptr_t number_;
};

/// What to wait for at a socket, and whether it came.
struct Awaited {
  const Socket* socket;
  bool to_read, to_write;
  bool ready = false;
};
/// Waits until one of them is ready, a signal comes or the time is over.
void wait_for(std::vector<Awaited>& sockets, int milliseconds);
