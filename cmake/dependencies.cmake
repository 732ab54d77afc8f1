# What the library needs: xtensor and nlohmann/json (headers), OpenBLAS, threads. The programs read their arguments with
# CLI11.
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)  # a project that holds this one as a folder links to them too
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR})

find_package(Threads REQUIRED)
find_package(OpenBLAS MODULE REQUIRED)
find_package(xtensor 0.23...<0.27 REQUIRED)  # from 0.27 on it needs C++20
find_package(nlohmann_json REQUIRED)
if(GRADUAL_MPI)
  find_package(MPI REQUIRED COMPONENTS CXX)
endif()
if(GRADUAL_SENTENCEPIECE STREQUAL "ON")
  find_package(SentencePiece MODULE REQUIRED)
elseif(GRADUAL_SENTENCEPIECE STREQUAL "AUTO")
  find_package(SentencePiece MODULE QUIET)
endif()
if(NOT SentencePiece_FOUND)
  message(STATUS "Built without subwords: they need SentencePiece (Debian: libsentencepiece-dev)")
endif()
if(GRADUAL_PROGRAMS)
  find_package(CLI11 REQUIRED)
  find_library(LIBEDIT_LIBRARY edit)
  find_path(LIBEDIT_INCLUDE_DIR editline/readline.h)
  mark_as_advanced(LIBEDIT_LIBRARY LIBEDIT_INCLUDE_DIR)
  if(NOT LIBEDIT_LIBRARY OR NOT LIBEDIT_INCLUDE_DIR)
    message(STATUS "Built without a history of typed lines: it needs libedit (Debian: libedit-dev)")
  endif()
endif()
