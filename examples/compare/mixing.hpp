// What is compared: the ways in which places of a sequence can learn from each other. A transformer of the
// library takes each of them by its name.
#pragma once

/// Adds to attention_layers() what the library does not have: "mean" (no attention: all that may be seen
/// counts alike) and "one_head" (a single head of any score, as the paper writes it). Once is enough.
void add_mixings();
