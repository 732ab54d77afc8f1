# Installs the library from the build folder BUILD, moves it to another place, builds this folder's project against it
# through find_package and, where there is pkg-config, by hand (STATIC is --static for a static library), and compares what
# both programs print. README.md shows the same program.
set(expected "loss 522, gradient 18 18 36 42 42 84\n")  # W·x = (9, 21)
set(work ${BUILD}/consumer)
set(prefix ${work}/moved)

function(run)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output ECHO_ERROR_VARIABLE COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect_output program)
  run(${program})
  if(NOT output STREQUAL expected)
    message(FATAL_ERROR "${program} printed\n${output}instead of\n${expected}")
  endif()
endfunction()

file(READ ${CMAKE_CURRENT_LIST_DIR}/main.cpp program)
file(READ ${CMAKE_CURRENT_LIST_DIR}/../../README.md readme)
string(FIND "${readme}" "${program}" place)
if(place EQUAL -1)
  message(FATAL_ERROR "README.md does not show tests/consumer/main.cpp as it is")
endif()

file(REMOVE_RECURSE ${work})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${work}/installed)
file(RENAME ${work}/installed ${prefix})

# What an installed header includes is installed too, or found by the package's configuration.
file(GLOB_RECURSE headers ${prefix}/include/gradual/*.hpp)
foreach(header ${headers})
  file(STRINGS ${header} includes REGEX "^#include <[a-z_]+/")
  foreach(include ${includes})
    string(REGEX REPLACE "^#include <(.*)>.*" "\\1" file "${include}")
    if(NOT file MATCHES "^xtensor/" AND NOT EXISTS ${prefix}/include/${file})
      message(FATAL_ERROR "${header} includes ${file}, which is not installed")
    endif()
  endforeach()
endforeach()

run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${work}/build -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX}
    -DCMAKE_PREFIX_PATH=${prefix})
run(${CMAKE_COMMAND} --build ${work}/build)
expect_output(${work}/build/consumer)

# docs/open-models.md: parts of one's own, one after the other, and who does not know them hears what is missing.
function(expect_line line)
  string(FIND "${output}" "${line}" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "instead of a line with\n${line}\nthere was\n${output}")
  endif()
endfunction()
file(MAKE_DIRECTORY ${work}/models)
run(${work}/build/open_models ${work}/models)
foreach(part distance fading max gate bare neighbours sharpened sign)
  expect_line("${part}: learnt, saved, loaded, translated, drawn\n")
endforeach()
expect_line("words: chosen\n")
expect_line("encoder.0.feed_forward is now one without a name")
run(${work}/build/open_models stranger ${work}/models)
foreach(part distance=score_kinds fading=position_kinds max=norms gate=feed_forwards bare=attention_layers
             neighbours=encoder_layers sharpened=translation_models)
  string(REPLACE "=" ";" part ${part})
  list(GET part 0 name)
  list(GET part 1 registry)
  expect_line("got \"${name}\"")
  expect_line("a program adds its own with ${registry}().add(name, …)")
endforeach()

find_program(pkg_config pkg-config)
if(pkg_config)
  file(GLOB_RECURSE pc ${prefix}/gradual.pc)
  run(${pkg_config} --cflags --libs ${STATIC} ${pc})
  separate_arguments(flags UNIX_COMMAND ${output})
  run(${CXX} -std=c++17 ${CMAKE_CURRENT_LIST_DIR}/main.cpp ${flags} -o ${work}/by_hand)
  cmake_path(GET pc PARENT_PATH folder)
  set(ENV{LD_LIBRARY_PATH} ${folder}/..)  # where a shared library is not in one of the system's folders
  expect_output(${work}/by_hand)
endif()
