// The comparisons of attention_reference_test.cpp, in the program that computes in double.
#include "core/attention/attention_reference_test.cpp"
