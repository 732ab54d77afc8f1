#include <gradual/nn/drawing/end_names.hpp>

#include <algorithm>

namespace gradual {

std::vector<EndName> from_top_down(std::vector<EndName> names, bool sharing) {
  constexpr double touching = 0.015;
  std::stable_sort(names.begin(), names.end(),
                   [](const EndName& a, const EndName& b) { return a.end.y > b.end.y; });
  if (!sharing) return names;
  std::vector<EndName> result;
  for (const EndName& name : names) {
    EndName* const above = result.empty() ? nullptr : &result.back();
    if (above && above->is_grey && name.is_grey && above->end.x == name.end.x &&
        above->end.y - name.end.y <= touching)
      above->words += ", " + name.words;
    else
      result.push_back(name);
  }
  return result;
}

std::vector<double> spread_out(const std::vector<double>& wanted, double apart, double low, double high) {
  // Without their distances, the places are an ascending sequence: those of a row that would descend move to
  // its mean (pool adjacent violators).
  struct Row {
    double sum, count;
    double mean() const { return sum / count; }
  };
  std::vector<Row> rows;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    rows.push_back({wanted[i] - static_cast<double>(i) * apart, 1});
    while (rows.size() > 1 && rows[rows.size() - 2].mean() >= rows.back().mean()) {
      const Row last = rows.back();
      rows.pop_back();
      rows.back() = {rows.back().sum + last.sum, rows.back().count + last.count};
    }
  }
  const double highest = high - static_cast<double>(wanted.size()) * apart + apart;
  std::vector<double> places;
  for (const Row& row : rows)
    for (int i = 0; i < row.count; ++i)
      places.push_back(std::max(low, std::min(row.mean(), highest)) +
                       static_cast<double>(places.size()) * apart);
  return places;
}

}  // namespace gradual
