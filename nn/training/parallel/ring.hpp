// Sums over processes that stand in a ring.
#pragma once

#include <functional>

#include <gradual/core/real.hpp>

namespace gradual {

/// Sends numbers to the next process of the ring while others arrive from the one before.
using Exchange =
    std::function<void(const Real* sent, Index sent_count, Real* arriving, Index arriving_count)>;

/// Replaces the numbers by their sums over all processes (ring all-reduce; Patarasuk and Yuan 2009).
///
/// The numbers are cut into as many parts as there are processes. Parts go round twice: in the first round
/// each process adds its own to what arrives, so that it ends with the whole sum of one part; in the second
/// that sum is handed on. Each process sends 2 (size - 1) / size of the numbers, however many processes there
/// are. The order of the additions depends on nothing but the sizes, and all processes get the same bits.
void sum_in_ring(int rank, int size, Real* numbers, Index count, const Exchange& exchange);

}  // namespace gradual
