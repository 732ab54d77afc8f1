// From a student's file to a program: compiled and linked in the sandbox, with the library's function
// replaced.
//
// The student's object stands before the library's archive, and the linker takes the first definition of a
// name (-z muldefs). So everything in the program that calls the function calls the student's, and the
// library needs neither marks nor a second build. (Cutting the rest of the library's file out as a source of
// its own would do the same and compile a kernel for each edit.) The library is compiled as
// position-independent code, in which g++ keeps calls between functions of one file open to replacement;
// clang does not, which matters where functions of one file call each other.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "assignment.hpp"
#include "sandbox.hpp"

/// What the build knows: compiler, flags, libraries, and where things lie (assignments.conf in the build
/// folder).
struct Workshop {
  std::string root;         // of the checkout
  std::string assignments;  // examples/assignments
  std::string compiler, library;
  std::string cache, own_cache;  // in the build, and where one keeps one's own when the build is another's
  std::string cmake, build;      // what makes the program of a milestone, and the folder of the build
  std::vector<std::string> flags, libraries;
  std::map<std::string, std::vector<std::string>> probe_objects;  // by assignment
};

/// Throws FileError.
Workshop read_workshop(const std::string& path);

/// A program made of a student's file, or why there is none.
struct Built {
  enum class State { program, undone, errors, refused } state = State::errors;
  std::string program, message, layers;
  std::string warnings;  // of a file that compiles, the first lines
};

/// Compiles the text of a student's file into `folder` and looks at what it calls; `program` is the object
/// then. Throws where it is the machine that is in the way: no space, no memory.
Built compile_part(const Workshop& workshop, const Part& part, const std::string& text,
                   const std::string& folder);

/// Compiles what an assignment has of its own besides its cases, and what puts that into the library's place
/// (milestone/), into `folder`; returns the objects.
std::vector<std::string> compile_own(const Workshop& workshop, const Assignment& assignment,
                                     const std::string& folder);

/// Makes one object of several, for programs that are linked by the build.
void join_objects(const Workshop& workshop, const std::vector<std::string>& objects, const std::string& to);

/// Compiles the text into `folder`, looks at what it calls, and links it with the probe.
Built build_probe(const Workshop& workshop, const Part& part, const std::string& text,
                  const std::string& folder);

/// The probe with all mistakes of a part in it (source_of_mistakes), made once for each text of them and
/// build of the library.
std::string probe_of_mistakes(const Workshop& workshop, const Assignment& assignment, const Part& part);
/// The same of any such source; throws std::runtime_error, with what the compiler says, where it does not
/// compile.
std::string probe_of_mistakes(const Workshop& workshop, const Part& part, const std::string& kind,
                              const std::string& source);

/// Whether the build is one's own to write, and not one that somebody else made for all.
bool can_write_build(const Workshop& workshop);

/// Whether a student's file could take this one in: what the compiler can read in the sandbox, and more than
/// a program can.
bool can_be_read_by_students(const Workshop& workshop, const std::string& file);

/// The library's source that a part is cut from; with a bug to be found in it, its readable text.
std::string library_source(const Workshop& workshop, const Part& part);
/// That, or the file with a plain version where the part names one.
std::string readable_source(const Workshop& workshop, const Part& part);

/// A folder of its own, removed with all in it at the end: where the system keeps temporary files, or in
/// memory where there is such a place. Values are flushed to the disk when they are written, which in memory
/// costs nothing and on a busy disk more than all the rest; programs may be forbidden to run from there.
class ScratchFolder {
 public:
  enum class Place { disk, memory };
  explicit ScratchFolder(Place place = Place::disk);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};
