// Parts of a model that are chosen at run time, among those of the library and those of a program.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gradual/core/error.hpp>
#include <gradual/nn/module.hpp>

namespace gradual {

/// A part of a model behind an interface such as Layer, Score or AttentionLayer. Copies are the same part, as
/// copies of a Var are the same variable.
///
/// It knows the name under which a registry made it. One that was put in by hand has none, and a model with
/// it cannot be saved: a file could not say what it is.
template <class Interface>
class Part {
 public:
  template <class Own, class = std::enable_if_t<std::is_base_of_v<Interface, Own>>>
  Part(Own own) : held_(std::make_shared<Own>(std::move(own))) {}
  template <class Own, class = std::enable_if_t<std::is_base_of_v<Interface, Own>>>
  Part(std::shared_ptr<Own> own) : held_(std::move(own)) {
    if (!held_) throw std::invalid_argument("part: there must be one: got a null pointer");
  }

  void visit(Visitor& visitor) {
    visitor.part(name_, held_.get());
    held_->visit(visitor);
  }
  template <class... Arguments>
  decltype(auto) operator()(Arguments&&... arguments) const {
    return (*held_)(std::forward<Arguments>(arguments)...);
  }
  /// What it holds.
  Interface& operator*() const { return *held_; }
  /// A member of what it holds.
  Interface* operator->() const { return held_.get(); }

  /// What is behind the interface. Throws std::logic_error when it is something else.
  template <class Own>
  Own& as() const {
    if (Own* own = dynamic_cast<Own*>(held_.get())) return *own;
    throw std::logic_error(text("part: as<…>() must name what it is: it is ",
                                name_.empty() ? "one that was put in by hand" : "\"" + name_ + "\""));
  }
  /// The name that it was made by, or none.
  const std::string& name() const { return name_; }
  /// The same part under a name.
  Part named(std::string name) const {
    Part result = *this;
    result.name_ = std::move(name);
    return result;
  }

 private:
  std::shared_ptr<Interface> held_;
  std::string name_;
};

/// What makes parts of one kind, each by its name: the library's own, and those that a program adds. Names
/// stand on command lines and in model files, so a program adds its parts before it reads either. Threads may
/// share one.
template <class Make>
class Registry {
 public:
  /// `what` is named in errors, such as "score: the name"; `add` says how to get one more,
  /// "score_kinds().add".
  Registry(std::string what, std::string add, std::vector<std::pair<std::string, Make>> entries)
      : what_(std::move(what)), add_(std::move(add)), entries_(std::move(entries)) {}

  /// Throws std::invalid_argument for an empty name, for one that is taken, and for nothing that could make
  /// it.
  void add(const std::string& name, Make make) {
    const std::lock_guard lock(mutex_);
    if (name.empty()) throw std::invalid_argument(text(what_, " must not be empty"));
    for (const auto& entry : entries_)
      if (entry.first == name)
        throw std::invalid_argument(text(what_, " must be a new one: \"", name, "\" is taken"));
    if constexpr (std::is_constructible_v<bool, const Make&>)
      if (!make)
        throw std::invalid_argument(text(what_, " must have what makes it: \"", name, "\" has nothing"));
    entries_.emplace_back(name, std::move(make));
  }
  /// Throws std::invalid_argument, which lists the names, for any other name.
  Make at(const std::string& name) const {
    const std::lock_guard lock(mutex_);
    std::string known;
    for (const auto& [each, make] : entries_) {
      if (each == name) return make;
      known += (known.empty() ? "" : ", ") + each;
    }
    throw std::invalid_argument(text(what_, " must be a known one: got \"", name, "\"; known are ", known,
                                     "; a program adds its own with ", add_, "(name, …)"));
  }
  /// In the order in which they came.
  std::vector<std::string> names() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> result;
    for (const auto& entry : entries_) result.push_back(entry.first);
    return result;
  }

 private:
  std::string what_, add_;
  std::vector<std::pair<std::string, Make>> entries_;
  mutable std::mutex mutex_;
};

}  // namespace gradual
