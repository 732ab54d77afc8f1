#include <gradual/autograd/profiler.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include <gradual/core/error.hpp>
#include <gradual/core/products/products.hpp>

namespace gradual {
namespace {

thread_local Profiler* newest_profiler = nullptr;

ProfiledWork sum(const ProfiledWork& a, const ProfiledWork& b) {
  return {a.calls + b.calls, a.seconds + b.seconds, a.flops + b.flops, a.bytes + b.bytes};
}

std::string line(const std::string& name, const char* pass, const ProfiledWork& work, double all_seconds,
                 const MachineLimits& limits, double steps) {
  const double least = std::max(work.flops / limits.flops, work.bytes / limits.bytes_per_second);
  char share[16] = "      ";
  if (least > 0) std::snprintf(share, sizeof share, "%5.0f%%", 100 * least / work.seconds);
  char text[2000];  // five doubles of up to 310 digits each
  std::snprintf(text, sizeof text, " %-8s %9.3f %5.1f%% %8.1f %9.4f %9.4f   %s\n", pass,
                1e3 * work.seconds / steps, 100 * work.seconds / all_seconds,
                static_cast<double>(work.calls) / steps, 1e-9 * work.flops / steps, 1e-9 * work.bytes / steps,
                share);
  std::string padded = name;
  padded.resize(std::max<std::size_t>(name.size(), 24), ' ');
  return padded + text;
}

}  // namespace

double Profiler::steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Profiler::Profiler(Clock clock)
    : before_(newest_profiler), clock_(clock), last_time_(clock()), last_flops_(flop_count()) {
  newest_profiler = this;
}

Profiler::~Profiler() { newest_profiler = before_; }

Profiler* Profiler::current() { return newest_profiler; }

void Profiler::mark(const char* what) {
  if (newest_profiler) newest_profiler->add_forward(what, 0);
}

void Profiler::add(ProfiledWork ProfiledOperation::*part, const char* operation, double bytes) {
  ProfiledOperation& entry = operations_[operation];
  ProfiledWork& work = entry.*part;
  const double now = clock_();
  const std::int64_t flops = flop_count();
  ++work.calls;
  work.seconds += now - last_time_;
  work.flops += static_cast<double>(flops - last_flops_);
  work.bytes += bytes;
  last_flops_ = flops;
  last_time_ = clock_();  // what the profiler itself takes belongs to no operation
}

std::vector<ProfiledOperation> Profiler::operations() const {
  std::vector<ProfiledOperation> result;
  for (const auto& [name, operation] : operations_) {
    result.push_back(operation);
    result.back().name = name;
  }
  std::stable_sort(result.begin(), result.end(), [](const ProfiledOperation& a, const ProfiledOperation& b) {
    return a.forward.seconds + a.backward.seconds > b.forward.seconds + b.backward.seconds;
  });
  return result;
}

std::string profile_table(const std::vector<ProfiledOperation>& operations, const MachineLimits& limits,
                          Index steps) {
  if (steps <= 0 || !(limits.flops > 0) || !(limits.bytes_per_second > 0))
    throw std::invalid_argument(gradual::text("profile_table: steps and limits must be positive: steps is ",
                                              steps, ", flops is ", limits.flops, ", bytes_per_second is ",
                                              limits.bytes_per_second));
  ProfiledWork all;
  for (const ProfiledOperation& each : operations) all = sum(all, sum(each.forward, each.backward));
  char text[1000];
  std::snprintf(text, sizeof text,
                "limits: %.0f GFLOP/s in products, %.1f GB/s of memory\n"
                "%-24s %-8s %9s %6s %8s %9s %9s   of the limit\n",
                1e-9 * limits.flops, 1e-9 * limits.bytes_per_second, "operation", "pass", "ms", "share",
                "calls", "GFLOP", "GB");
  std::string table = text;
  const auto count = static_cast<double>(steps);
  for (const ProfiledOperation& each : operations) {
    if (each.forward.calls > 0) table += line(each.name, "forward", each.forward, all.seconds, limits, count);
    if (each.backward.calls > 0)
      table += line(each.name, "backward", each.backward, all.seconds, limits, count);
  }
  return table + line("all", "", all, all.seconds, limits, count);
}

}  // namespace gradual
