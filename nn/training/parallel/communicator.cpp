#include <gradual/nn/training/parallel/communicator.hpp>

#include <cstdlib>
#include <stdexcept>

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

}  // namespace

#ifdef GRADUAL_MPI

namespace {

const MPI_Datatype real_type = sizeof(Real) == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE;

// A count is an int in MPI.
int checked(Index count) {
  if (count > 2147483647) throw std::length_error("communicator: too many numbers at once");
  return static_cast<int>(count);
}

}  // namespace

struct Communicator::Sum::Request {
  MPI_Request request = MPI_REQUEST_NULL;
};

Communicator::Communicator() {
  if (!started_by_mpirun()) return;
  int initialized = 0;
  MPI_Initialized(&initialized);
  if (initialized) throw std::logic_error("communicator: there can only be one in a program");
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

Communicator::~Communicator() {
  if (size_ > 1) MPI_Finalize();
}

void Communicator::Sum::progress() {
  int done = 0;
  if (request_) MPI_Test(&request_->request, &done, MPI_STATUS_IGNORE);
}

void Communicator::Sum::wait() {
  if (request_) MPI_Wait(&request_->request, MPI_STATUS_IGNORE);
}

Communicator::Sum Communicator::start_sum(Real* numbers, Index count) {
  Sum sum;
  if (size_ == 1) return sum;
  sum.request_ = std::make_shared<Sum::Request>();
  MPI_Iallreduce(MPI_IN_PLACE, numbers, checked(count), real_type, MPI_SUM, MPI_COMM_WORLD,
                 &sum.request_->request);
  return sum;
}

double Communicator::sum(double number) {
  if (size_ > 1) MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return number;
}

void Communicator::broadcast(Real* numbers, Index count) {
  if (size_ > 1) MPI_Bcast(numbers, checked(count), real_type, 0, MPI_COMM_WORLD);
}

void Communicator::wait_for_all() {
  if (size_ > 1) MPI_Barrier(MPI_COMM_WORLD);
}

void Communicator::abort() {
  if (size_ > 1) MPI_Abort(MPI_COMM_WORLD, 1);
}

#else

struct Communicator::Sum::Request {};

Communicator::Communicator() {
  if (started_by_mpirun())
    throw std::logic_error(
        "communicator: started by mpirun, but built without MPI; configure with -DGRADUAL_MPI=ON");
}
Communicator::~Communicator() = default;
void Communicator::Sum::progress() {}
void Communicator::Sum::wait() {}
Communicator::Sum Communicator::start_sum(Real*, Index) { return {}; }
double Communicator::sum(double number) { return number; }
void Communicator::broadcast(Real*, Index) {}
void Communicator::wait_for_all() {}
void Communicator::abort() {}

#endif

}  // namespace gradual
