// Loads the compiled library into a kernel that runs clang's interpreter.
#pragma once

#include <dlfcn.h>

#include <iostream>
#include <string>

namespace gradual {

// The name of build/release/libgradual_notebook.so as seen from the folder of this header's copy,
// build/release/notebook.
inline std::string notebook_library() {
  const std::string here = __FILE__;
#ifdef __APPLE__
  const std::string ending = ".dylib";
#else
  const std::string ending = ".so";
#endif
  return here.substr(0, here.rfind('/')) + "/../libgradual_notebook" + ending;
}

inline bool load_notebook_library() {
  if (::dlopen(notebook_library().c_str(), RTLD_NOW | RTLD_GLOBAL)) return true;
  std::cerr << ::dlerror() << "\nBuild the library first: run `./run notebook` in Gradual's folder once.\n";
  return false;
}

inline const bool notebook_library_is_loaded = load_notebook_library();

}  // namespace gradual
