// A corpus out of a pipe.
#include <sys/stat.h>

#include <fstream>
#include <memory>
#include <string>
#include <thread>

#include <gradual/nn/text/corpus.hpp>

#include "support/catch.hpp"
#include "support/files.hpp"

using namespace gradual;

TEST_CASE("corpus: a pipe, which can be read once, is kept") {
  const TestFolder folder;
  const std::string path = folder / "pipe";
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  std::thread writer([&] { std::ofstream(path) << "Go.\tVa !\n"; });
  const std::unique_ptr<PairStream> stream = open_tsv(path);
  writer.join();
  SentencePair pair;
  for (int time = 0; time < 2; ++time) {
    CHECK(stream->next(pair));
    CHECK_FALSE(stream->next(pair));
    stream->rewind();
  }
}
