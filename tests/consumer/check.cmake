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

run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${work}/build -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX}
    -DCMAKE_PREFIX_PATH=${prefix})
run(${CMAKE_COMMAND} --build ${work}/build)
expect_output(${work}/build/consumer)

find_program(pkg_config pkg-config)
if(pkg_config)
  file(GLOB_RECURSE pc ${prefix}/gradual.pc)
  run(${pkg_config} --cflags --libs ${STATIC} ${pc})
  separate_arguments(flags UNIX_COMMAND ${output})
  run(${CXX} -std=c++17 ${CMAKE_CURRENT_LIST_DIR}/main.cpp ${flags} -o ${work}/by_hand)
  expect_output(${work}/by_hand)
endif()
