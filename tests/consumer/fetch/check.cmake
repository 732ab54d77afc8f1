# Builds this folder's project, which docs/getting-started.md shows, with the program of tests/consumer, and runs it. What it fetches is
# this checkout, in place of the repository.
set(work ${BUILD}/fetch)
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH consumer)
cmake_path(SET checkout NORMALIZE ${consumer}/../..)

file(READ ${CMAKE_CURRENT_LIST_DIR}/CMakeLists.txt project)
file(READ ${checkout}/docs/getting-started.md page)
string(FIND "${page}" "${project}" place)
if(place EQUAL -1)
  message(FATAL_ERROR "docs/getting-started.md does not show tests/consumer/fetch/CMakeLists.txt as it is")
endif()

file(REMOVE_RECURSE ${work})
file(COPY ${CMAKE_CURRENT_LIST_DIR}/CMakeLists.txt ${consumer}/main.cpp DESTINATION ${work})
execute_process(COMMAND ${CMAKE_COMMAND} -S ${work} -B ${work}/build -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX}
                        -DFETCHCONTENT_SOURCE_DIR_GRADUAL=${checkout} -DCMAKE_BUILD_TYPE=Debug -DCMAKE_UNITY_BUILD=ON
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${work}/build --target mine COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${work}/build/mine OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
if(NOT output STREQUAL "loss 522, gradient 18 18 36 42 42 84\n")
  message(FATAL_ERROR "it printed\n${output}")
endif()
foreach(target gradual_tests translate)
  if(EXISTS ${work}/build/bin/${target})
    message(FATAL_ERROR "as a folder of another project it built ${target}")
  endif()
endforeach()
