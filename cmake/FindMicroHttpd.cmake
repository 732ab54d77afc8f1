# The target MicroHttpd::MicroHttpd; its packages bring no CMake files of their own.
find_path(MicroHttpd_INCLUDE_DIR microhttpd.h)
find_library(MicroHttpd_LIBRARY microhttpd)
mark_as_advanced(MicroHttpd_INCLUDE_DIR MicroHttpd_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(MicroHttpd REQUIRED_VARS MicroHttpd_LIBRARY MicroHttpd_INCLUDE_DIR)

if(MicroHttpd_FOUND AND NOT TARGET MicroHttpd::MicroHttpd)
  add_library(MicroHttpd::MicroHttpd UNKNOWN IMPORTED)
  set_target_properties(MicroHttpd::MicroHttpd PROPERTIES
    IMPORTED_LOCATION "${MicroHttpd_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${MicroHttpd_INCLUDE_DIR}")
endif()
