# Files that programs hold: style sheets, scripts, pages and presets lie beside the sources that use them, as files that editors and
# linters read. The build makes a header of each, which sources include by the file's path:
#   #include <nn/drawing/page/page.css.hpp>    std::string_view gradual::embedded::page_css
# Included by library.cmake; as a script (-P) it writes one header: -DFROM=<file> -DTO=<header> -DPATH=<its path>.
if(CMAKE_SCRIPT_MODE_FILE)
  file(READ ${FROM} content)
  if(content MATCHES "\\)embedded\"")
    message(FATAL_ERROR "${PATH}: a file that is embedded cannot hold the end of its own string, `)embedded\"`")
  endif()
  get_filename_component(name ${PATH} NAME)
  string(MAKE_C_IDENTIFIER ${name} name)
  file(WRITE ${TO} "// Made by the build of ${PATH}.
#pragma once

#include <string_view>

namespace gradual::embedded {

inline constexpr std::string_view ${name} = R\"embedded(${content})embedded\";

}  // namespace gradual::embedded
")
  return()
endif()

set(GRADUAL_EMBEDDED_DIR ${PROJECT_BINARY_DIR}/embedded)
set(embedded_headers "")
foreach(folder nn examples)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/${folder}/*.css
       ${PROJECT_SOURCE_DIR}/${folder}/*.html ${PROJECT_SOURCE_DIR}/${folder}/*.js ${PROJECT_SOURCE_DIR}/${folder}/*.conf)
  foreach(path ${files})
    set(header ${GRADUAL_EMBEDDED_DIR}/${path}.hpp)
    add_custom_command(OUTPUT ${header} VERBATIM DEPENDS ${PROJECT_SOURCE_DIR}/${path} ${CMAKE_CURRENT_LIST_FILE}
                       COMMAND ${CMAKE_COMMAND} -DFROM=${PROJECT_SOURCE_DIR}/${path} -DTO=${header} -DPATH=${path}
                               -P ${CMAKE_CURRENT_LIST_FILE})
    list(APPEND embedded_headers ${header})
  endforeach()
endforeach()
add_custom_target(gradual_embedded DEPENDS ${embedded_headers})

function(gradual_embeds target)
  target_include_directories(${target} PRIVATE ${GRADUAL_EMBEDDED_DIR})
  add_dependencies(${target} gradual_embedded)
endfunction()
