if(MSVC)
  message(FATAL_ERROR "Gradual's kernels need g++ or clang++; on Windows MSYS2 has both")
endif()
include(CheckCXXCompilerFlag)
include(${CMAKE_CURRENT_LIST_DIR}/embed.cmake)
check_cxx_compiler_flag(-march=native GRADUAL_HAS_MARCH_NATIVE)
check_cxx_compiler_flag(-mcpu=native GRADUAL_HAS_MCPU_NATIVE)
check_cxx_compiler_flag(-mprefer-vector-width=512 GRADUAL_HAS_WIDE_VECTORS)
if(MINGW)
  add_compile_options(-Wa,-mbig-obj)  # a folder's sources as one have more sections than its format counts
  check_cxx_compiler_flag(-Wa,-muse-unaligned-vector-move GRADUAL_HAS_UNALIGNED_MOVES)
endif()

# The library, once for each number type: add_gradual_library(<target> <double?>).
set(GRADUAL_INCLUDE_DIR ${PROJECT_BINARY_DIR}/include)

# Headers lie beside their sources, and `#include <gradual/nn/linear.hpp>` is the same here and after installation:
# the build folder holds include/gradual/{core,autograd,nn} as links to the source folders.
file(MAKE_DIRECTORY ${GRADUAL_INCLUDE_DIR}/gradual)
foreach(layer core autograd nn)
  if(NOT CMAKE_HOST_WIN32)
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${layer} ${GRADUAL_INCLUDE_DIR}/gradual/${layer} SYMBOLIC)
  elseif(NOT EXISTS ${GRADUAL_INCLUDE_DIR}/gradual/${layer})  # a junction, which takes no special rights there
    file(TO_NATIVE_PATH ${GRADUAL_INCLUDE_DIR}/gradual/${layer} link)
    file(TO_NATIVE_PATH ${PROJECT_SOURCE_DIR}/${layer} folder)
    execute_process(COMMAND cmd /c mklink /J ${link} ${folder} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  endif()
endforeach()

function(gradual_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra)
  if(NOT CMAKE_UNITY_BUILD)  # where a local name may be that of a neighbour's
    target_compile_options(${target} PRIVATE -Wshadow)
  endif()
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)  # g++'s std::stable_sort itself calls what C++17 deprecates
    target_compile_options(${target} PRIVATE -Wno-deprecated-declarations)
  endif()
  if(GRADUAL_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=address,undefined -fno-sanitize-recover=undefined)
    target_link_options(${target} PRIVATE -fsanitize=address,undefined)
  endif()
endfunction()

# What computes with xtensor itself, the plain versions and the tests: it walks arrays without elements from a null pointer.
set(gradual_xtensor_options)
if(GRADUAL_SANITIZE)
  set(gradual_xtensor_options -fno-sanitize=pointer-overflow)
endif()

# With CMAKE_UNITY_BUILD, which builds in a fifth of the time, the sources of one folder are compiled as one, but for
# those that cmake/apart.txt names; so a local name must not mean something else in a neighbour. A large folder is
# compiled in parts of at most 90,000 bytes (some 2,500 lines), which processors share.
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/apart.txt apart REGEX "^[^#]")
list(TRANSFORM apart PREPEND ${PROJECT_SOURCE_DIR}/)
function(gradual_unity target)
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    cmake_path(ABSOLUTE_PATH source)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE folder)
    cmake_path(GET folder PARENT_PATH folder)
    string(MAKE_C_IDENTIFIER "${folder}" group)
    if(source IN_LIST apart)
      set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    else()
      file(SIZE ${source} size)
      math(EXPR size_of_${group} "${size_of_${group}} + ${size}")
      math(EXPR part "${size_of_${group}} / 90000")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP "${group}_${part}")
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
endfunction()

# The sources of other systems than this one.
set(gradual_other_systems "_windows\\.cpp$")
if(WIN32)
  set(gradual_other_systems "_posix(_test)?\\.cpp$")
endif()

# No number becomes another unsaid, where warnings are errors, as tests/platforms/run.sh sets it.
function(gradual_conversion_warnings target)
  if(CMAKE_COMPILE_WARNING_AS_ERROR)
    target_compile_options(${target} PRIVATE -Wconversion)
  endif()
endfunction()

# What calls the kernels needs no more than this to be as fast, and compiles in three fifths of the time.
function(gradual_calls_kernels target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Og>)
endfunction()

# What the library and its kernels have in common.
function(gradual_library_settings target is_double)
  target_compile_features(${target} PUBLIC $<IF:$<VERSION_LESS:${xtensor_VERSION},0.27>,cxx_std_17,cxx_std_20>)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_EXTENSIONS OFF)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${GRADUAL_INCLUDE_DIR}>)
  target_link_libraries(${target} PUBLIC xtensor Threads::Threads PRIVATE OpenBLAS::OpenBLAS)
  if(is_double)
    target_compile_definitions(${target} PUBLIC GRADUAL_DOUBLE)
  endif()
  gradual_warnings(${target})
  gradual_conversion_warnings(${target})
  gradual_unity(${target})
endfunction()

# The kernels are plain loops that the compiler turns into vector instructions. `omp simd` lets it reorder sums; the
# other two flags let it use vectors where errno or floating-point traps would forbid them. Where it cannot use them
# all the same (std::exp in the double build), clang need not say so, and GCC need not say that a processor without AVX
# passes vectors in another way: they stay inside their file.
function(add_gradual_kernels target is_double)
  add_library(${target} OBJECT ${ARGN})
  gradual_library_settings(${target} ${is_double})
  target_compile_options(${target} PRIVATE -fopenmp-simd -fno-math-errno -fno-trapping-math -Wno-pass-failed -Wno-psabi
                                           $<$<NOT:$<CONFIG:Debug>>:-O3>)
  if(GRADUAL_HAS_UNALIGNED_MOVES)  # the stack of Windows is aligned to 16 bytes, and g++ takes it to be aligned to more
    target_compile_options(${target} PRIVATE -Wa,-muse-unaligned-vector-move)
  endif()
  if(GRADUAL_NATIVE)
    if(GRADUAL_HAS_MARCH_NATIVE)
      target_compile_options(${target} PRIVATE -march=native)
    elseif(GRADUAL_HAS_MCPU_NATIVE)
      target_compile_options(${target} PRIVATE -mcpu=native)
    endif()
    # Compilers prefer half of an AVX-512 register by default; on what is measured here, whole ones are faster.
    if(GRADUAL_HAS_WIDE_VECTORS)
      target_compile_options(${target} PRIVATE -mprefer-vector-width=512)
    endif()
  endif()
endfunction()

# Folders that are named after them are left out, sources of other systems, and the plain versions, which tests compute with.
function(add_gradual_library target is_double)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS
       ${PROJECT_SOURCE_DIR}/core/*.cpp ${PROJECT_SOURCE_DIR}/autograd/*.cpp ${PROJECT_SOURCE_DIR}/nn/*.cpp)
  list(FILTER sources EXCLUDE REGEX ${gradual_other_systems})
  string(REGEX REPLACE "([][+.*()^$?|\\])" "\\\\\\1" here "${PROJECT_SOURCE_DIR}")  # a path may have any of these
  foreach(folder core/reference ${ARGN})
    list(FILTER sources EXCLUDE REGEX "^${here}/${folder}/")
  endforeach()
  set(kernels ${sources})
  list(FILTER kernels INCLUDE REGEX "^${here}/core/(elements|products|rows|attention|layers)/")
  list(REMOVE_ITEM sources ${kernels})
  add_gradual_kernels(${target}_kernels ${is_double} ${kernels})

  add_library(${target} ${sources})
  gradual_library_settings(${target} ${is_double})
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_kernels>)
  target_link_libraries(${target} PRIVATE Utf8proc::Utf8proc $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>)
  if(GRADUAL_MPI)
    target_compile_definitions(${target} PRIVATE GRADUAL_MPI OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
    target_link_libraries(${target} PRIVATE MPI::MPI_CXX)
  endif()
  if(SentencePiece_FOUND)
    target_compile_definitions(${target} PRIVATE GRADUAL_SENTENCEPIECE)
    target_link_libraries(${target} PRIVATE SentencePiece::SentencePiece)
  endif()
  gradual_embeds(${target})
  gradual_calls_kernels(${target})
  # Read once instead of in every source, which includes what it needs all the same: a third of the time to build.
  target_precompile_headers(${target} PRIVATE <algorithm> <functional> <map> <memory> <sstream> <string> <vector>
                                              <nlohmann/json.hpp>)
endfunction()

# What programs include and what takes longest to read, read once for all of them.
function(add_program_headers)
  set(source ${PROJECT_BINARY_DIR}/program_headers.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "")
  add_library(gradual_program_headers OBJECT ${source})
  target_link_libraries(gradual_program_headers PRIVATE gradual CLI11::CLI11 nlohmann_json::nlohmann_json)
  gradual_calls_kernels(gradual_program_headers)
  target_precompile_headers(gradual_program_headers PRIVATE <CLI/CLI.hpp> <nlohmann/json.hpp>)
  gradual_warnings(gradual_program_headers)
endfunction()

# A program over the library, in build/<preset>/bin/: add_gradual_program(<name> <sources>...).
function(add_gradual_program name)
  if(NOT TARGET gradual_program_headers)
    add_program_headers()
  endif()
  add_executable(${name} ${ARGN})
  gradual_calls_kernels(${name})
  target_link_libraries(${name} PRIVATE gradual CLI11::CLI11 nlohmann_json::nlohmann_json)
  target_precompile_headers(${name} REUSE_FROM gradual_program_headers)
  gradual_warnings(${name})
  gradual_embeds(${name})
  gradual_unity(${name})
endfunction()
