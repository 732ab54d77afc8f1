// Documents with labels: from a file, or generated.
#pragma once

#include <string>
#include <vector>

#include <gradual/core/random.hpp>

struct Document {
  std::string label;
  std::vector<std::string> words;  // as written
};

/// Reads lines `COARSE:fine text …` (Li and Roth 2002) or `LABEL text …`; what follows a colon in the label
/// does not count. Throws gradual::FileError with the line for one without a label and text, and where the
/// text is not UTF-8.
std::vector<Document> read_documents(const std::string& path);

/// Short reviews: sentences about the plot, the actors, the music … of which at most one, somewhere, says
/// whether the writer liked it. "praise", "complaint" or "neither" is decided by a single word there, and by
/// a "not" before it.
std::vector<Document> generate_reviews(gradual::Index count, gradual::Random random);

/// The labels in byte order, each once.
std::vector<std::string> labels_of(const std::vector<Document>& documents);

/// The documents in random order, the first `share` of each label apart.
struct DocumentSplit {
  std::vector<Document> train, held_out;
};
DocumentSplit split_documents(const std::vector<Document>& documents, double held_out_share,
                              gradual::Random random);
