// core/files/.
#include <algorithm>
#include <sstream>
#include <system_error>

#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/core/files/config_lines.hpp>
#include <gradual/core/files/folder.hpp>
#include <gradual/core/files/lock.hpp>
#include <gradual/core/files/npy.hpp>
#include <gradual/core/files/path.hpp>
#include <gradual/core/files/read_line.hpp>
#include <gradual/core/files/safetensors.hpp>
#include <gradual/core/files/system_file.hpp>

#include "hostile/drive.hpp"
#include "support/files.hpp"

using namespace gradual;
using namespace gradual::hostile;

namespace {

// What an action on files does: 1, or 0 where it says which file is wrong.
template <class Action>
int on_files(const Action& action) {
  try {
    action();
    return 1;
  } catch (const FileError&) {
    return 0;
  }
}

const Header atomic_file =
    Header("core/files/atomic_file.hpp")
        .drives(
            "replaced_file",
            [](std::string path) {
              const TestFolder folder;
              return on_files([&] { replaced_file(folder / path); });
            },
            std::tuple(std::string("x")))
        .drives(
            "write_file_atomically",
            [](std::string path, std::string bytes) {
              const TestFolder folder;
              return on_files([&] { write_file_atomically(folder / path, bytes); });
            },
            std::tuple(std::string("x"), std::string("y")))
        .drives(
            "write_file_atomically",
            [](std::string path, std::string bytes) {
              const TestFolder folder;
              return on_files(
                  [&] { write_file_atomically(folder / path, [&](const ByteSink& sink) { sink(bytes); }); });
            },
            std::tuple(std::string("x"), std::string("y")));
const Header folders = Header("core/files/folder.hpp")
                           .drives(
                               "make_folder",
                               [](std::string path) {
                                 const TestFolder folder;
                                 return on_files([&] { make_folder(folder / path); });
                               },
                               std::tuple(std::string("x")));
const Header locks = Header("core/files/lock.hpp")
                         .drives(
                             "FileLock::FileLock",
                             [](std::string path, std::string problem) {
                               const TestFolder folder;
                               return on_files([&] { FileLock(folder / path, problem); });
                             },
                             std::tuple(std::string("x"), std::string("is held")));
const Header npy = Header("core/files/npy.hpp")
                       .drives(
                           "save_npy",
                           [](Tensor x) {
                             const TestFolder folder;
                             save_npy(folder / "x.npy", x);
                             return load_npy(folder / "x.npy");
                           },
                           std::tuple(six), [](Tensor x) { return x; })
                       .drives(
                           "load_npy",
                           [](std::string bytes) {
                             const TestFolder folder;
                             return on_files([&] { load_npy(folder.write("x.npy", bytes)); });
                           },
                           std::tuple(std::string("x")), [](std::string) { return 0; });
const Header safetensors =
    Header("core/files/safetensors.hpp")
        .drives(
            "TensorFile::find", [](std::string name) { return TensorFile().find(name) == nullptr; },
            std::tuple(std::string("x")), [](std::string) { return true; })
        .drives(
            "save_tensors|safetensors",
            [](std::string name, Tensor x, Indices whole) {
              const TestFolder folder;
              TensorFile file;
              file.tensors = {{name, x}};
              file.indices = {{"indices", whole}};
              save_tensors(folder / "f", file);
              return *load_tensors(folder / "f").find(name);
            },
            std::tuple(std::string("x"), six, Indices({2}, {1, 2})),
            [](std::string, Tensor x, Indices) { return x; })
        .drives(
            "load_tensors",
            [](std::string bytes) {
              const TestFolder folder;
              return on_files([&] { load_tensors(folder.write("f", bytes)); });
            },
            std::tuple(std::string("x")), [](std::string) { return 0; });

const Header read_lines_one_by_one =
    Header("core/files/read_line.hpp")
        .drives(
            "read_line",
            [](std::string bytes) {
              std::istringstream lines(bytes);
              std::string read;
              for (std::string line; read_line(lines, line, "lines", 1);)
                read += line + (lines.eof() ? "" : "\n");
              return read;
            },
            std::tuple(std::string("a\n\nb")), [](std::string bytes) { return bytes; })
        .drives(
            "open_lines",
            [](std::string bytes) {
              const TestFolder folder;
              std::ifstream file = open_lines(folder.write("f", bytes));
              return std::string(std::istreambuf_iterator<char>(file), {});
            },
            std::tuple(std::string("a\r\nb")), [](std::string bytes) { return bytes; });

std::vector<std::string> keys_and_values(const std::vector<ConfigLine>& lines) {
  std::vector<std::string> result;
  for (const ConfigLine& line : lines) result.insert(result.end(), {line.key, line.value});
  return result;
}
std::vector<ConfigLine> read_lines(const std::string& bytes) {
  std::istringstream lines(bytes);
  return read_config(lines, "lines", [](const std::string&) { return ""; });
}
const Header config_lines =
    Header("core/files/config_lines.hpp")
        .drives(
            "read_config", [](std::string bytes) { return on_files([&] { read_lines(bytes); }); },
            std::tuple(std::string("a = 1")),
            [](std::string bytes) { return bytes.empty() || bytes == "a = 1"; })
        .drives(
            "config_line|config",
            [](std::string key, std::string value) {
              return keys_and_values(read_lines(config_line(key, value)));
            },
            std::tuple(std::string("a"), std::string("1")),
            [](std::string key, std::string value) {
              return std::vector{key, value};
            })
        .drives(
            "lines_of", [](std::string written) { return keys_and_values(lines_of(written)); },
            std::tuple(std::string("a = 1\nb = \"#\"\n")),
            [](std::string written) {
              return written[0] == 'a' && written[1] == ' ' ? std::vector<std::string>{"a", "1", "b", "\"#\""}
                                                            : std::vector<std::string>();
            });

const Header paths = Header("core/files/path.hpp")
                         .drives(
                             "path_of", [](std::string name) { return path_of(name).empty(); },
                             std::tuple(std::string("x")), [](std::string name) { return name.empty(); })
                         .drives(
                             "name_of", [](std::string name) { return name_of(path_of(name)); },
                             std::tuple(std::string("x")), [](std::string name) { return name; });

// What is in a new file after an action on it; nothing where there can be no such file.
template <class Action>
std::string in_new_file(const std::string& path, const Action& action) {
  const TestFolder folder;
  try {
    SystemFile file(path_of(folder / path));
    action(file);
    return file.beginning(1 << 20);
  } catch (const std::system_error&) {
    return "";
  }
}
const Header system_file =
    Header("core/files/system_file.hpp")
        .drives(
            "process_number", [] { return process_number() > 0; }, std::tuple(), [] { return true; })
        .drives(
            "flush_folder", [](std::string path) { flush_folder(path_of(path)); },
            std::tuple(std::string("/")))
        .drives(
            "SystemFile::SystemFile",
            [](std::string path) { return in_new_file(path, [](const SystemFile&) {}); },
            std::tuple(std::string("x")), [](std::string) { return std::string(); })
        .drives(
            "SystemFile::SystemFile",
            [](std::string path) {
              const TestFolder folder;
              try {
                return SystemFile(path_of(folder / path), SystemFile::Anew{}).beginning(1 << 20);
              } catch (const std::system_error&) {
                return std::string();
              }
            },
            std::tuple(std::string("x")), [](std::string) { return std::string(); })
        .drives(
            "SystemFile::beginning",
            [](Index most) {
              std::string bytes;
              in_new_file("x", [&](SystemFile& file) {
                file.write("abc");
                bytes = file.beginning(static_cast<std::size_t>(most));
              });
              return bytes;
            },
            std::tuple(Index(2)),
            [](Index most) { return std::string("abc").substr(0, static_cast<std::size_t>(most)); })
        .drives(
            "SystemFile::write",
            [](std::string bytes) { return in_new_file("x", [&](SystemFile& file) { file.write(bytes); }); },
            std::tuple(std::string("abc")), [](std::string bytes) { return bytes; })
        .drives(
            "SystemFile::truncate",
            [](std::string bytes) {
              return in_new_file("x", [&](SystemFile& file) {
                file.write(bytes);
                file.truncate();
              });
            },
            std::tuple(std::string("abc")), [](std::string) { return std::string(); })
        .drives(
            "SystemFile::flush",
            [](std::string bytes) {
              return in_new_file("x", [&](SystemFile& file) {
                file.write(bytes);
                file.flush();
              });
            },
            std::tuple(std::string("abc")), [](std::string bytes) { return bytes; })
        .drives(
            "SystemFile::lock",
            [] {
              bool first = false;
              in_new_file("x", [&](SystemFile& file) { first = file.lock(); });
              return first;
            },
            std::tuple(), [] { return true; });

}  // namespace
