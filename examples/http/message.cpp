#include "message.hpp"

#include <algorithm>

namespace {

constexpr std::string_view line_end = "\r\n", head_end = "\r\n\r\n";

const char* reason_of(int status) {
  static const std::map<int, const char*> reasons = {{200, "OK"},
                                                     {204, "No Content"},
                                                     {400, "Bad Request"},
                                                     {403, "Forbidden"},
                                                     {404, "Not Found"},
                                                     {408, "Request Timeout"},
                                                     {411, "Length Required"},
                                                     {413, "Content Too Large"},
                                                     {415, "Unsupported Media Type"},
                                                     {431, "Request Header Fields Too Large"},
                                                     {500, "Internal Server Error"},
                                                     {501, "Not Implemented"},
                                                     {503, "Service Unavailable"},
                                                     {505, "HTTP Version Not Supported"}};
  const auto found = reasons.find(status);
  return found == reasons.end() ? "Unknown" : found->second;
}

bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_of_name(char c) {  // RFC 9110, 5.6.2
  return is_letter(c) || is_digit(c) || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}
bool is_control(char c) { return static_cast<unsigned char>(c) < 32 || c == 127; }

std::string in_small_letters(std::string_view name) {
  std::string small(name);
  for (char& c : small)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  return small;
}

std::string_view without_spaces(std::string_view value) {
  const auto begin = value.find_first_not_of(" \t");
  return begin == value.npos ? "" : value.substr(begin, value.find_last_not_of(" \t") + 1 - begin);
}

}  // namespace

std::string HttpRequest::header(const std::string& name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? "" : found->second;
}

std::string bytes_of(const HttpResponse& response, bool stays_open, bool with_body) {
  std::string bytes =
      "HTTP/1.1 " + std::to_string(response.status) + " " + reason_of(response.status) + "\r\n";
  const auto add = [&](const std::string& name, const std::string& value) {
    bytes += name + ": " + value + "\r\n";
  };
  if (!response.type.empty()) add("Content-Type", response.type);
  if (response.status != 204) add("Content-Length", std::to_string(response.body.size()));
  for (const auto& [name, value] : response.headers) add(name, value);
  add("Connection", stays_open ? "keep-alive" : "close");
  bytes += line_end;
  return with_body ? bytes + response.body : bytes;
}

RequestReader::State RequestReader::add(std::string_view bytes) {
  received_ += bytes;
  return read();
}

RequestReader::State RequestReader::next() {
  request_ = {};
  has_head_ = expects_ = false;
  searched_ = length_ = 0;
  if (state_ == State::complete) state_ = State::incomplete;
  return read();
}

bool RequestReader::wants_to_continue() {
  return state_ == State::incomplete && has_head_ && std::exchange(expects_, false);
}

RequestReader::State RequestReader::refuse(int status) {
  problem_ = status;
  received_.clear();
  return state_ = State::refused;
}

RequestReader::State RequestReader::read() {
  if (state_ != State::incomplete) return state_;
  if (!has_head_) {
    const std::size_t end = received_.find(head_end, searched_);
    if (std::min(end, received_.size()) > limits_.head) return refuse(431);
    if (end == std::string::npos) {
      searched_ = received_.size() - std::min(received_.size(), head_end.size() - 1);
      return state_;
    }
    has_head_ = true;
    if (const int problem = problem_of_head(std::string_view(received_).substr(0, end)))
      return refuse(problem);
    received_.erase(0, end + head_end.size());
  }
  if (received_.size() < length_) return state_;
  request_.body = received_.substr(0, length_);
  received_.erase(0, length_);
  return state_ = State::complete;
}

int RequestReader::problem_of_head(std::string_view head) {
  const auto line = [&head] {
    const std::size_t end = std::min(head.find(line_end), head.size());
    const std::string_view first = head.substr(0, end);
    head.remove_prefix(std::min(end + line_end.size(), head.size()));
    return first;
  };
  const std::string_view first = line();
  const std::size_t space = first.find(' '), last = first.rfind(' ');
  if (space == last || std::any_of(first.begin(), first.end(), is_control)) return 400;
  const std::string_view method = first.substr(0, space), target = first.substr(space + 1, last - space - 1),
                         version = first.substr(last + 1);
  if (method.empty() || !std::all_of(method.begin(), method.end(), is_letter)) return 400;
  if (target.empty() || target.front() != '/' || target.find(' ') != target.npos) return 400;
  if (version != "HTTP/1.1" && version != "HTTP/1.0") return version.substr(0, 5) == "HTTP/" ? 505 : 400;
  request_.method = method;
  request_.target = target;
  for (std::size_t count = 0; !head.empty(); ++count) {
    if (count == limits_.headers) return 431;
    if (!read_header(line())) return 400;
  }
  if (request_.headers.count("transfer-encoding") > 0) return 411;  // in chunks: not known in advance
  if (request_.headers.count("content-encoding") > 0) return 415;
  if (const auto found = request_.headers.find("content-length"); found != request_.headers.end()) {
    const std::string& digits = found->second;
    if (digits.empty() || !std::all_of(digits.begin(), digits.end(), is_digit)) return 400;
    if (digits.size() > 9) return 413;
    length_ = std::stoul(digits);
    if (length_ > limits_.body) return 413;
  }
  const std::string connection = in_small_letters(request_.header("connection"));
  request_.stays_open =
      version == "HTTP/1.0" ? connection == "keep-alive" : connection.find("close") == std::string::npos;
  expects_ = in_small_letters(request_.header("expect")) == "100-continue";
  return 0;
}

bool RequestReader::read_header(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  const std::string_view name = line.substr(0, colon), value = without_spaces(line.substr(colon + 1));
  if (!std::all_of(name.begin(), name.end(), is_of_name)) return false;
  if (std::any_of(value.begin(), value.end(), [](char c) { return c != '\t' && is_control(c); }))
    return false;
  const auto [place, is_new] = request_.headers.emplace(in_small_letters(name), value);
  if (is_new) return true;
  for (const char* once : {"host", "origin", "content-length", "content-type", "transfer-encoding"})
    if (place->first == once) return false;  // which of the two counts would be a matter of opinion
  place->second += ", " + std::string(value);
  return true;
}
