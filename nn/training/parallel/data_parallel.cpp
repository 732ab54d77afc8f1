#include <gradual/nn/training/parallel/data_parallel.hpp>

#include <algorithm>
#include <utility>

namespace gradual {

DataParallel::DataParallel(Communicator& communicator, std::vector<NamedParameter> parameters,
                           Index bytes_each)
    : communicator_(communicator) {
  const Index most = std::max<Index>(bytes_each * communicator.size() / static_cast<Index>(sizeof(Real)), 1);
  Index size = 0;
  for (auto parameter = parameters.rbegin(); parameter != parameters.rend(); ++parameter) {
    Var& variable = parameter->variable;
    communicator_.broadcast(variable.unguarded_data(), variable.size());
    if (buckets_.empty() || size + variable.size() > most) {
      buckets_.emplace_back();
      size = 0;
    }
    size += variable.size();
    bucket_of_[variable.node().get()] = buckets_.size() - 1;
    buckets_.back().parameters.push_back(variable);
  }
  for (Bucket& bucket : buckets_) {
    Index numbers = 0;
    for (const Var& parameter : bucket.parameters) numbers += 1 + parameter.size();
    bucket.numbers = Tensor(Shape{numbers});
  }
}

void DataParallel::start() {
  sent_ = 0;
  for (Bucket& bucket : buckets_) bucket.complete = 0;
  listen();
}

void DataParallel::complete(const Node& parameter) {
  const auto found = bucket_of_.find(&parameter);
  if (found == bucket_of_.end()) return;
  ++buckets_[found->second].complete;
  while (sent_ < buckets_.size() && buckets_[sent_].complete == buckets_[sent_].parameters.size())
    send(buckets_[sent_++]);
}

void DataParallel::send(Bucket& bucket) {
  Real* to = bucket.numbers.unguarded_data();
  for (const Var& parameter : bucket.parameters) {
    const Tensor& gradient = parameter.grad();
    *to++ = gradient.defined() ? Real(1) : Real(0);
    if (gradient.defined())
      std::copy_n(gradient.data(), gradient.size(), to);
    else
      std::fill_n(to, parameter.size(), Real(0));
    to += parameter.size();
  }
  bucket.sum = communicator_.start_sum(std::move(bucket.numbers));
}

void DataParallel::finish() {
  stop_listening();
  while (sent_ < buckets_.size()) send(buckets_[sent_++]);  // with parameters that nothing depended on
  for (Bucket& bucket : buckets_) {
    bucket.numbers = bucket.sum.get();
    const Real* from = bucket.numbers.data();
    for (Var& parameter : bucket.parameters) {
      const bool has_gradient = *from++ > 0;  // in some process
      Tensor gradient;
      if (has_gradient) {
        gradient = Tensor(parameter.shape());
        std::copy_n(from, gradient.size(), gradient.unguarded_data());
      }
      parameter.mutable_grad() = std::move(gradient);
      from += parameter.size();
    }
  }
}

}  // namespace gradual
