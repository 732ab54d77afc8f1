#include <gradual/autograd/observer.hpp>

#include <utility>

namespace gradual {
namespace {
thread_local GraphObserver* newest_observer = nullptr;
}  // namespace

bool GraphObserver::listening() { return newest_observer != nullptr; }

GraphObserver::GraphObserver() : older_(std::exchange(newest_observer, this)) {}

GraphObserver::~GraphObserver() {
  for (GraphObserver** at = &newest_observer; *at; at = &(*at)->older_) {
    if (*at != this) continue;
    *at = older_;
    return;
  }
}

Telling::Telling() : newest_(std::exchange(newest_observer, nullptr)) {}
Telling::~Telling() { newest_observer = newest_; }

}  // namespace gradual
