#include <gradual/nn/training/parallel/communicator.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gradual/nn/training/parallel/ring.hpp>
#include <gradual/nn/training/parallel/worker.hpp>

#ifdef GRADUAL_MPI
#include <mpi.h>
#endif

namespace gradual {
namespace {

// Open MPI, and those of MPICH's family, say so in the environment: asking MPI itself takes a second.
bool started_by_mpirun() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    const char* size = std::getenv(name);
    if (size && std::atoi(size) > 1) return true;
  }
  return false;
}

// The sum over one process.
std::future<Tensor> own_sum(Tensor numbers) {
  std::promise<Tensor> sum;
  sum.set_value(std::move(numbers));
  return sum.get_future();
}

}  // namespace

#ifdef GRADUAL_MPI

namespace {

const MPI_Datatype real_type = sizeof(Real) == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE;

// A count is an int in MPI.
int checked(Index count) {
  if (count > 2147483647) throw std::length_error("communicator: too many numbers at once");
  return static_cast<int>(count);
}

// What one process sends in a step of the ring, at most: so much stays in a cache until it is added.
constexpr Index part = 524288 / static_cast<Index>(sizeof(Real));

// Long messages go in pieces that MPI sends without asking the receiver first: the question would stand in
// line behind the numbers that it sends the other way, and the two directions of the wire would take turns.
constexpr Index piece = 32768 / static_cast<Index>(sizeof(Real));
int piece_of(Index count) { return static_cast<int>(std::min(count, piece)); }

// MPI's own wait asks without a pause, and takes a core from what is computed meanwhile. Answers that come at
// once are not slept through.
void await(std::vector<MPI_Request>& requests) {
  using std::chrono::microseconds, std::chrono::steady_clock;
  const auto soon = steady_clock::now() + microseconds(200);
  for (int done = 0;;) {
    MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
    if (done) return;
    if (steady_clock::now() > soon) std::this_thread::sleep_for(microseconds(20));
  }
}

// All calls are the worker's, so that no two come at once.
template <class Start>
void complete(Worker& worker, const Start& start) {
  const auto work = [&] {
    std::vector<MPI_Request> request(1);
    start(request.data());
    await(request);
  };
  worker.add(work).get();
}

}  // namespace

Communicator::Communicator() {
  if (!started_by_mpirun()) return;
  int initialized = 0;
  MPI_Initialized(&initialized);
  if (initialized) throw std::logic_error("communicator: there can only be one in a program");
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  if (provided < MPI_THREAD_SERIALIZED)
    throw std::logic_error("communicator: MPI must let other threads than the first call it");
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  if (size_ > 1) worker_ = std::make_unique<Worker>();
}

Communicator::~Communicator() {
  if (size_ == 1) return;
  worker_.reset();
  MPI_Finalize();
}

std::future<Tensor> Communicator::start_sum(Tensor numbers) {
  if (size_ == 1) return own_sum(std::move(numbers));
  const auto exchange = [this](const Real* sent, Index sent_count, Real* arriving, Index arriving_count) {
    const int next = (rank_ + 1) % size_, previous = (rank_ + size_ - 1) % size_;
    std::vector<MPI_Request> requests;
    for (Index i = 0; i < std::max(sent_count, arriving_count); i += piece) {
      if (i < arriving_count)
        MPI_Irecv(arriving + i, piece_of(arriving_count - i), real_type, previous, 0, MPI_COMM_WORLD,
                  &requests.emplace_back());
      if (i < sent_count)
        MPI_Isend(sent + i, piece_of(sent_count - i), real_type, next, 0, MPI_COMM_WORLD,
                  &requests.emplace_back());
    }
    await(requests);
  };
  const Index slice = size_ * part;
  return worker_->add([this, exchange, slice, sums = std::move(numbers)]() mutable {
    for (Index first = 0; first < sums.size(); first += slice)
      sum_in_ring(rank_, size_, sums.unguarded_data() + first, std::min(slice, sums.size() - first), exchange);
    return std::move(sums);
  });
}

double Communicator::sum(double number) {
  if (size_ > 1)
    complete(*worker_, [&](MPI_Request* request) {
      MPI_Iallreduce(MPI_IN_PLACE, &number, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, request);
    });
  return number;
}

void Communicator::broadcast(Real* numbers, Index count) {
  if (size_ > 1)
    complete(*worker_, [&](MPI_Request* request) {
      MPI_Ibcast(numbers, checked(count), real_type, 0, MPI_COMM_WORLD, request);
    });
}

void Communicator::wait_for_all() {
  if (size_ > 1) complete(*worker_, [](MPI_Request* request) { MPI_Ibarrier(MPI_COMM_WORLD, request); });
}

void Communicator::abort() {
  if (size_ > 1) MPI_Abort(MPI_COMM_WORLD, 1);
}

#else

Communicator::Communicator() {
  if (started_by_mpirun())
    throw std::logic_error(
        "communicator: started by mpirun, but built without MPI; configure with -DGRADUAL_MPI=ON");
}
Communicator::~Communicator() = default;
std::future<Tensor> Communicator::start_sum(Tensor numbers) { return own_sum(std::move(numbers)); }
double Communicator::sum(double number) { return number; }
void Communicator::broadcast(Real*, Index) {}
void Communicator::wait_for_all() {}
void Communicator::abort() {}

#endif

}  // namespace gradual
