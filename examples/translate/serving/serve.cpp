#include "serve.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <iostream>
#include <mutex>
#include <random>
#include <stdexcept>
#include <thread>

#include <gradual/core/error.hpp>

#include "answer.hpp"

#ifdef GRADUAL_HTTPLIB
#include <semaphore.h>

#include <httplib.h>

using namespace gradual;

namespace {

constexpr std::size_t longest_request = 16384;  // bytes

// A signal may do little more than raise this; a thread waits for it and ends the server.
sem_t interrupted;

void end_on_interruption(httplib::Server& server) {
  while (sem_wait(&interrupted) != 0) {  // woken by something else
  }
  while (!server.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  server.stop();
}

std::string new_nonce() {
  std::random_device chance;
  std::string nonce;
  for (int i = 0; i < 32; ++i) nonce += "0123456789abcdef"[chance() % 16];
  return nonce;
}

void send(httplib::Response& response, const Answer& answer) {
  response.status = answer.status;
  response.set_content(answer.json, "application/json");
}

// A page elsewhere may send requests here, but not of this type without asking first, and nobody allows it;
// and it says where it comes from.
bool comes_from_elsewhere(const httplib::Request& request) {
  const std::string origin = request.get_header_value("Origin");
  return !origin.empty() && origin != "http://" + request.get_header_value("Host");
}

class TranslationServer {
 public:
  TranslationServer(const Translator& translator, const ServeSettings& settings)
      : settings_(settings), translator_(translator) {
    server_.set_socket_options([](socket_t socket) {  // httplib's own let a second server share the port
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    server_.set_payload_max_length(longest_request);
    server_.set_pre_routing_handler([this](const auto& request, auto& response) {
      response.set_header("X-Content-Type-Options", "nosniff");
      response.set_header("Cache-Control", "no-store");
      if (is_own_name(request.get_header_value("Host"), settings_.host) && !comes_from_elsewhere(request))
        return httplib::Server::HandlerResponse::Unhandled;
      send(response, refusal(403, "this server answers to its own address alone"));
      return httplib::Server::HandlerResponse::Handled;
    });
    server_.set_error_handler([](const httplib::Request&, httplib::Response& response) {
      if (!response.body.empty()) return;
      const int status = response.status;
      send(response, refusal(status, status == 404   ? "there is nothing here but / and POST /translate"
                                     : status == 413 ? "the request is too long"
                                                     : "bad request"));
    });
    server_.set_exception_handler([](const auto&, auto& response, std::exception_ptr) {
      send(response, refusal(500, "the translation failed"));
    });
    server_.Get("/", [this](const auto&, auto& response) { send_page(response); });
    server_.Get("/favicon.ico", [](const auto&, auto& response) { response.status = 204; });
    server_.Post("/translate", [this](const auto& request, auto& response, const auto& read) {
      translate(request, response, read);
    });
  }

  void run() {
    errno = 0;
    int port = settings_.port;
    if (port == 0)
      port = server_.bind_to_any_port(settings_.host);
    else if (!server_.bind_to_port(settings_.host, port))
      port = -1;
    if (port < 0) {
      const bool known = errno == EADDRINUSE || errno == EADDRNOTAVAIL || errno == EACCES;
      const std::string why = known ? std::strerror(errno) : "no such address";
      throw std::runtime_error(text("serve: ", settings_.host, " port ", settings_.port,
                                    " cannot be used: ", why, "; choose others with --host and --port"));
    }
    sem_init(&interrupted, 0, 0);
    std::thread end(end_on_interruption, std::ref(server_));
    for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int) { sem_post(&interrupted); });
    const bool bracketed = settings_.host.find(':') != std::string::npos;
    std::cout << "http://" << (bracketed ? "[" : "") << settings_.host << (bracketed ? "]" : "") << ":"
              << port << "/  (Ctrl-C ends)" << std::endl;
    server_.listen_after_bind();
    sem_post(&interrupted);
    end.join();
  }

 private:
  void send_page(httplib::Response& response) const {
    const std::string nonce = new_nonce();
    response.set_header("Content-Security-Policy",
                        "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; "
                        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; script-src 'nonce-" +
                            nonce + "'");
    response.set_content(translation_page(translator_, settings_, nonce), "text/html; charset=utf-8");
  }

  void translate(const httplib::Request& request, httplib::Response& response,
                 const httplib::ContentReader& read) {
    if (request.get_header_value("Content-Type").rfind("application/json", 0) != 0)
      return send(response, refusal(415, "the request must be of the type application/json"));
    std::string body;
    const bool whole = read([&](const char* data, std::size_t size) {
      body.append(data, size);
      return body.size() <= longest_request;  // also where no length was announced
    });
    if (!whole)
      return send(response, refusal(413, text("a request has at most ", longest_request, " bytes")));
    const std::lock_guard<std::mutex> one_at_a_time(mutex_);
    send(response, answer(translator_, settings_.search, body));
  }

  const ServeSettings& settings_;
  const Translator& translator_;
  std::mutex mutex_;
  httplib::Server server_;
};

}  // namespace

void serve(const Translator& translator, const ServeSettings& settings) {
  TranslationServer(translator, settings).run();
}

#else

void serve(const gradual::Translator&, const ServeSettings&) {
  throw std::runtime_error(
      "serve: this build has no HTTP library: install cpp-httplib (Debian: libcpp-httplib-dev) and build "
      "again");
}

#endif
